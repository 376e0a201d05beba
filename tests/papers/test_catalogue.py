from fractions import Fraction

import pytest

from algeval.data import KeyedSketch
from algeval.errors import DataError
from algeval.result import Status
from algeval_papers.equations import Entry, catalogue

ERRATA = {"2", "6", "S22", "S30", "S37", "S38", "S41", "S64", "S70", "S83", "S87"}
PROVED = {f"S{n}" for n in (16, 17, 18, 19, 24, 25, 26, 27, 32, 33, 34, 35)}
ENTRIES = {entry.number: entry for entry in catalogue()}


def test_what_the_catalogue_covers():
    assert {n for n, entry in ENTRIES.items() if entry.verdict == "erratum"} == ERRATA
    assert {n for n, entry in ENTRIES.items() if entry.verdict == "proved"} >= PROVED
    assert {f"S{n}" for n in [*range(9, 44), *range(55, 64), 84, 85, 87, 91, 92]} <= set(ENTRIES)
    assert len(ENTRIES) == len(catalogue())


@pytest.mark.parametrize("number", list(ENTRIES))
def test_every_entry_is_confirmed(number):
    entry = ENTRIES[number]
    outcome = entry.run()
    assert outcome.verdict == entry.verdict
    assert outcome.status is Status.OK
    assert number in outcome.message
    assert all(one.holds for one in outcome.proofs)
    assert all(not one.holds for one in outcome.refutations)
    if entry.verdict == "proved":
        assert len(outcome.proofs) == len(entry.printed)
    else:
        assert len(outcome.refutations) == len(entry.printed)
        assert len(outcome.proofs) == len(entry.corrected)


def counted(exam):
    """Moments and truth of a binary trio from its counts, nothing shared with the library."""
    s, keyed = exam.sketch, exam.keyed
    rows = [
        (s.decision(u), t, int(keyed[u, n])) for u in range(len(s)) for n, t in enumerate(s.labels)
    ]
    total = sum(c for _, _, c in rows)
    share = [Fraction(sum(c for u, _, c in rows if u[i] == "B"), total) for i in range(3)]

    def moment(places):
        value = Fraction(0)
        for u, _, c in rows:
            part = Fraction(c, total)
            for i in places:
                part *= (u[i] == "B") - share[i]
            value += part
        return value

    size = {t: sum(c for _, l, c in rows if l == t) for t in "AB"}
    right = {
        (i, t): Fraction(sum(c for u, l, c in rows if l == t and u[i] == t), size[t])
        for i in range(3)
        for t in "AB"
    }
    x, y, z, d = (moment(p) for p in ((0, 1), (0, 2), (1, 2), (0, 1, 2)))
    return share, (x, y, z, d), Fraction(size["A"], total), right


def test_errata_are_refuted_by_plain_counting():
    for number, printed in {
        "S22": lambda f, m, p, r: (
            m[3] * (m[3] - m[2] * (1 - f[0])) + 2 * m[0] * m[1] * m[2]
            + (4 * m[0] * m[1] * m[2] - m[3] ** 2) * p + m[2] * m[3] * r[0, "A"]
        ),
        "S37": lambda f, m, p, r: (
            m[3] * (m[3] - m[1] * (1 - f[1])) + 2 * m[0] * m[1] * m[2]
            - (4 * m[0] * m[1] * m[2] + m[3] ** 2) * p + m[0] * m[3] * r[2, "A"]
        ),
        "S41": lambda f, m, p, r: (
            f[2] * m[1] * m[3] - 2 * m[0] * m[1] * m[2]
            + (4 * m[0] * m[1] * m[2] + m[3] ** 2) * p - m[0] * m[3] * r[2, "B"]
        ),
    }.items():  # fmt: skip
        (refutation,) = ENTRIES[number].run().refutations
        assert printed(*counted(refutation.exam)) == refutation.left != 0


def test_equation_6_fails_for_judges_better_than_chance():
    (refutation,) = ENTRIES["6"].run().refutations
    _, (x, y, z, d), p, right = counted(refutation.exam)
    assert all(right[i, "A"] + right[i, "B"] > 1 for i in range(3))
    a = d * d + 4 * x * y * z
    root = p * (1 - p)
    for i in range(3):
        root *= right[i, "A"] + right[i, "B"] - 1
    assert root > 0
    assert root * root == a
    assert (1 - d / root) / 2 != p
    assert (1 + d / root) / 2 == p


def test_an_entry_that_claims_too_much_is_not_confirmed():
    wrong = Entry(number="x", statement="no", verdict="proved", printed=("P_A = P_iA",))
    outcome = wrong.run()
    assert outcome.verdict == "not confirmed"
    assert outcome.status is Status.INCONSISTENT
    assert isinstance(outcome.refutations[0].exam, KeyedSketch)
    unfair = Entry(number="y", statement="no", verdict="erratum", printed=("P_A + P_B = 1",))
    assert unfair.run().verdict == "not confirmed"


def test_asking_for_some():
    assert [entry.number for entry in catalogue(["S16", "6"])] == ["S16", "6"]
    with pytest.raises(DataError, match="numbers must be in the catalogue"):
        catalogue(["S999"])
    document = catalogue(["S18"])[0].run().to_dict()
    assert document["schema"] == "algeval.outcome/1"
    assert document["proofs"][0]["holds"] is True
