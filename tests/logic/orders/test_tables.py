"""What `best_tables` lays out by running sums is what it lays out judge by judge."""

import pickle

import numpy as np
import pytest

import algeval as ae
from algeval.data import Specification
from algeval.logic.exam import read_exam, read_specification, system_of
from algeval.logic.orders import order1
from algeval.verify import verify


@pytest.mark.parametrize("missing", ["excluded", "wrong"])
@pytest.mark.parametrize("seed", range(4))
def test_tables_by_loops(monkeypatch, missing, seed):
    rng = np.random.default_rng(seed)
    n, judges, labels = int(rng.integers(3, 60)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
    names = [f"l{t}" for t in range(labels)]
    codes = rng.integers(-1, labels + 1, (n, judges)).astype(np.int16)
    ids = [f"j{i}" for i in range(judges)]
    votes = ae.Votes(range(n), ids, names, [*names, "none"], codes, None)
    exam = read_exam(votes, missing)
    for level in ("0", "3/10"):
        spec = Specification.accuracy(">=", level)
        system = system_of(exam, read_specification(exam, spec))
        key = rng.multinomial(n, rng.dirichlet(np.ones(labels))).tolist()
        plain = order1.best_tables(exam, system, key)
        with monkeypatch.context() as patched:
            patched.setattr(order1, "FEW_TABLE_CELLS", 0)
            patched.setattr(order1, "TABLE_CELLS_AT_ONCE", int(rng.integers(1, 60)))
            assert order1.best_tables(exam, system, key) == plain


def test_evidence_laid_out_when_read_is_verified_and_kept():
    names, codes = ["a", "b"], np.array([[0, 0], [1, 0], [-1, 1]], np.int16)
    votes = ae.Votes(range(3), ["i", "j"], names, names, codes, None)
    found = ae.bounds(votes, order=1)
    for proof in found.certificates.values():
        for certificate in (proof.lowest, proof.highest):
            same = pickle.loads(pickle.dumps(certificate))
            assert same == certificate
            assert "tables" in certificate.evidence
            assert certificate.to_dict()["evidence"]["kind"] == "witness"
            assert verify(certificate.to_dict(), votes).ok
