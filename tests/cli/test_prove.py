import json

from algeval.cli.main import run


def test_a_proof_a_counterexample_and_an_inequality(capsys):
    assert run(["prove", "Delta_ij = P_A*P_B*d_i*d_j"]) == 0
    assert "Proved" in capsys.readouterr().out
    assert run(["prove", "f_Bi = f_Bj", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["left"], document["right"]) == ("0", "1")
    assert run(["prove", "f_Bi < f_Bj"]) == 1
    assert "False: f_Bi < f_Bj fails on the smallest" in capsys.readouterr().out
    assert run(["prove"]) == 2
    assert "state an identity" in capsys.readouterr().err


def test_hypotheses_definitions_and_a_certificate(capsys, tmp_path):
    path = tmp_path / "proof.json"
    assert run(["prove", "gain >= 0", "--given", "d_i >= 0", "--define", "gain=prec_i - P_A",
                "--judges", "1", "--save", str(path)]) == 0  # fmt: skip
    told = capsys.readouterr()
    assert told.out.startswith("Proved: gain >= 0 holds on every exam, if d_i >= 0; where")
    written = json.loads(path.read_text())
    assert (written["claim"], written["given"]) == ("gain >= 0", ["d_i >= 0"])
    assert run(["prove", "gain >= 0", "--given", "d_i >= 0", "--define", "gain=prec_i - P_A",
                "--judges", "1", "--json"]) == 0  # fmt: skip
    assert json.loads(capsys.readouterr().out) == written


def test_what_is_neither_proved_nor_refuted_ends_with_one(capsys):
    both = ["--given", "P_A > 3/5", "--given", "P_A < 1/2", "--judges", "1"]
    assert run(["prove", "P_iA > 1/2", *both]) == 1
    assert "The hypotheses contradict each other" in capsys.readouterr().out
    assert run(["prove", "P_A > 1", "--define", "nothing"]) == 2
    assert "--define must be NAME=EXPRESSION" in capsys.readouterr().err
    hard = "(P_iA - P_jA^2)^2 + (P_jA - P_kA^2)^2 + 1/10^9 > 0"
    code = run(["prove", hard, "--time-limit", "0.01"])
    assert code == 1
    assert "Not decided: " in capsys.readouterr().out


def test_part_of_the_catalogue(capsys):
    assert run(["prove", "--only", "S16,S22"]) == 0
    out = capsys.readouterr().out
    assert "(S22) erratum [confirmed]" in out
    assert "2 entries, 2 confirmed." in out


def test_the_time_limit_is_kept_and_told_in_one_sentence(capsys):
    endless = "(P_A+f_Bi+d_i+d_j)^60 = 0"
    assert run(["prove", endless, "--time-limit", "0.5"]) == 2
    told = capsys.readouterr().err
    assert "must be decided within 0.5 seconds" in told
    assert "Traceback" not in told
