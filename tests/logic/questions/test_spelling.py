"""Labels of conditions in Python: a label that fits but for case, space or full stop is read so, and said."""

import pytest

import algeval as ae
from algeval.data import Specification

DATA = ae.Sketch.from_counts({("yes", "yes"): 5, ("no", "yes"): 2, ("no", "no"): 3})
ASKED = "accuracy(*, YES) >= 0.9 and prevalence('No.') >= 0.6"
EXACT = "accuracy(*, yes) >= 0.9 and prevalence(no) >= 0.6"
NOTE = "Of the labels in the conditions, read: 'YES' as 'yes', 'No.' as 'no'."


def test_a_label_that_fits_is_read_so_and_said():
    for ask in (ae.alarm, ae.panel, ae.bounds):
        found = ask(DATA, at_least=ASKED)
        assert found.message.endswith(NOTE)
        assert found.specification == Specification.of(EXACT)
        plain = ask(DATA, at_least=EXACT)
        assert found.message == f"{plain.message} {NOTE}"
    certificate = ae.alarm(DATA, ASKED).certificate
    assert ae.verify(certificate, DATA).ok
    with pytest.raises(ae.errors.ImpossibleError, match="read: 'YES' as 'yes'"):
        ae.logic.check(DATA, "accuracy(*, YES) >= 1 and accuracy(*, no) >= 1")


def test_a_monitor_reads_labels_so_too():
    monitor = ae.Monitor(ASKED, judges=DATA.judges, labels=DATA.labels)
    monitor.add(DATA)
    assert monitor.specification == Specification.of(EXACT)
    assert monitor.alarm.message.endswith(NOTE)
    assert monitor.alarm.triggered is ae.alarm(DATA, EXACT).triggered


def test_a_report_says_it_beside_the_votes():
    found = ae.report(DATA, at_least=ASKED)
    assert f"Note: {NOTE}" in " ".join(found.summary().split())


def test_a_label_that_fits_nothing_or_two_is_an_error_that_names_the_labels():
    for ask in (ae.alarm, ae.panel, ae.bounds):
        with pytest.raises(
            ae.DataError, match=r"label 'maybe' is not known; choose from \['no', 'yes'\]"
        ):
            ask(DATA, at_least="accuracy(*, maybe) >= 0.5")
    two = ae.Sketch.from_counts({("yes", "Yes"): 5, ("no", "no"): 3})
    with pytest.raises(ae.DataError, match="label 'YES' is not known"):
        ae.alarm(two, "accuracy(*, YES) >= 0.5")


def test_exact_labels_on_the_command_line_are_exact_in_conditions(tmp_path, capsys):
    from algeval.cli.main import run

    path = tmp_path / "votes.csv"
    path.write_text("item,x,y\n1,yes,no\n2,no,no\n3,yes,yes\n", encoding="utf-8")
    command = ["alarm", str(path), "--at-least", "accuracy(*, YES) >= 0.1"]
    assert run(command) in (0, 1)
    assert "'YES' as 'yes'" in " ".join(capsys.readouterr().out.split())
    assert run([*command, "--exact-labels"]) == 2
    assert "label 'YES' is not known" in capsys.readouterr().err
