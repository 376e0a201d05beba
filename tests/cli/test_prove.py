import json

from algeval.cli.main import run


def test_a_proof_a_counterexample_and_an_inequality(capsys):
    assert run(["prove", "Delta_ij = P_A*P_B*d_i*d_j"]) == 0
    assert "Proved" in capsys.readouterr().out
    assert run(["prove", "f_Bi = f_Bj", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["left"], document["right"]) == ("0", "1/2")
    assert run(["prove", "f_Bi < f_Bj"]) == 2
    assert "must be an equation" in capsys.readouterr().err
    assert run(["prove"]) == 2
    assert "state an identity" in capsys.readouterr().err


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
