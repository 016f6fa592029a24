"""Linear algebra that gives the same bits whatever the processor."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pytest import approx
from scipy.sparse import csr_array

from ratings.linear import NotPositive, conjugate_gradients, inverse_diagonal

ROOT = Path(__file__).resolve().parents[2]
PROCESSORS = {
    "this one": {},
    "an old one": {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V3"},
    "a newer one": {"OPENBLAS_CORETYPE": "Haswell"},
}
FIT = """
import hashlib, sys
import numpy as np
from ratings import MatchLog, create
source = np.random.default_rng(11)
players, matches = 130, 4000
first = source.integers(0, players, matches)
other = (first + source.integers(1, players, matches)) % players
log, _ = MatchLog.build(
    keys=[f"{number:03}" for number in range(players)],
    at=np.arange(matches),
    match=np.repeat(np.arange(matches), 2),
    side=np.tile([0, 1], matches),
    rank=np.tile([0, 1], matches),
    player=np.stack((first, other), axis=1).ravel(),
)
for method in ("average", "exact", "bradley-terry"):
    settings = {"method": method, "least_events": 0, "least_opponents": 0}
    final = create("static", settings).replay(log).final
    print(method, np.isfinite(final).all(), hashlib.sha256(final.tobytes()).hexdigest())
"""


def positive(n, seed=1):
    """Make a positive definite matrix like a Hessian: of a graph, with a penalty."""
    met = np.random.default_rng(seed).random((n, n))
    met = met + met.T
    return np.diag(met.sum(axis=1) + 1.0) - met


@pytest.mark.parametrize("n", [1, 2, 95, 96, 97, 250, 500])
def test_the_diagonal_is_that_of_the_inverse(n):
    matrix = positive(n)
    expected = np.diag(np.linalg.inv(matrix))
    assert inverse_diagonal(matrix) == approx(expected, rel=1e-11)


def test_a_matrix_that_is_not_positive_is_refused():
    for matrix in ([[1.0, 2.0], [2.0, 1.0]], [[np.nan]], [[0.0]]):
        with pytest.raises(NotPositive):
            inverse_diagonal(np.array(matrix))


def test_equations_are_solved_and_what_does_not_settle_is_said():
    matrix, target = positive(40), np.arange(40.0)
    solution, is_settled = conjugate_gradients(csr_array(matrix), target, 1e-13, 500)
    assert is_settled and solution == approx(np.linalg.solve(matrix, target), rel=1e-9)
    assert not conjugate_gradients(csr_array(matrix), target, 1e-13, 2)[1]
    nothing, is_settled = conjugate_gradients(csr_array(matrix), np.zeros(40), 1e-13, 5)
    assert is_settled and not nothing.any()
    # Nobody met anybody, and yet they are asked to differ.
    assert not conjugate_gradients(csr_array((2, 2)), np.array([1.0, 0.0]), 1e-13, 9)[1]


def test_static_strengths_have_the_same_bits_on_other_processors():
    """The libraries are told to work as on others: with other kernels, in other orders."""
    said = {
        name: subprocess.run(
            [sys.executable, "-c", FIT],
            cwd=ROOT,
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for name, variables in PROCESSORS.items()
    }
    assert said["this one"].count("True") == 3
    assert set(said.values()) == {said["this one"]}, said
