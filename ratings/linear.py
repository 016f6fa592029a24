"""Linear algebra whose last bits do not depend on the processor.

BLAS and LAPACK choose their kernels by the processor, and each of them sums in an order of its own.
Here every sum has one order: NumPy's, element by element and in pairs, and that of SciPy's sparse
products, row by row. What a backup holds is thus computed again to the last bit on another machine.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ratings.log import Floats

_BLOCK: Final = 96
_STRIP: Final = 2 * _BLOCK
"""What is so wide stays in the processor's cache; other widths give other bits."""


class NotPositive(ArithmeticError):
    """The matrix is not positive definite, or rounding made it so."""


def dot(one: Floats, other: Floats) -> float:
    """The scalar product of two vectors."""
    return float((one * other).sum())


def conjugate_gradients(
    matrix: Any, target: Floats, precision: float, most: int
) -> tuple[Floats, bool]:
    """Solve equations with a sparse positive semidefinite matrix (Hestenes and Stiefel 1952).

    Returns the solution and whether it has settled: within `most` steps what is left of the
    `target` is at most `precision` of it.
    """
    solution = np.zeros_like(target)
    left = target.copy()
    direction = left.copy()
    size = dot(left, left)
    enough = precision * math.sqrt(size)
    for _ in range(most):
        if math.sqrt(size) <= enough:
            return solution, True
        image = matrix @ direction
        curvature = dot(direction, image)
        if not curvature > 0.0:
            return solution, False
        length = size / curvature
        solution += length * direction
        left -= length * image
        before, size = size, dot(left, left)
        direction *= size / before
        direction += left
    return solution, math.sqrt(size) <= enough


def inverse_diagonal(matrix: Floats) -> Floats:
    """The diagonal of the inverse of a positive definite matrix, which is written over.

    By blocks: a column of Cholesky's factor, then the row of the factor's inverse below which the
    matrix is used up (Golub and Van Loan, Matrix Computations, sections 3.1 and 4.2). Raises
    `NotPositive`. Takes time with the cube and memory with the square of the size.
    """
    n = len(matrix)
    factor = np.zeros_like(matrix)
    diagonal = np.zeros(n)
    for start in range(0, n, _BLOCK):
        end = min(start + _BLOCK, n)
        for top in range(start, n, _BLOCK):
            bottom = min(top + _BLOCK, n)
            known = factor[start:end, :start].T
            matrix[top:bottom, start:end] -= _product(factor[top:bottom, :start], known)
        corner = _cholesky(matrix[start:end, start:end])
        inverse = _inverse_of_lower(corner)
        factor[start:end, start:end] = corner
        factor[end:, start:end] = _product(matrix[end:, start:end], inverse.T)
        # Rows of the inverse take the place of those that were used up.
        right = np.zeros((end - start, end))
        right[:, start:] = np.eye(end - start)
        for left in range(0, start, _STRIP):
            strip = slice(left, min(left + _STRIP, start))
            right[:, strip] = -_product(factor[start:end, left:start], matrix[left:start, strip])
        row = _product(inverse, right)
        matrix[start:end, :end] = row
        matrix[start:end, end:] = 0.0
        diagonal[:end] += (row * row).sum(axis=0)
    return diagonal


def _product(one: Floats, other: Floats) -> Floats:
    """The product of two dense matrices, each sum from left to right."""
    from scipy.sparse import csr_array

    result: Floats = csr_array(one) @ np.ascontiguousarray(other)
    return result


def _cholesky(matrix: Floats) -> Floats:
    """The lower factor of a small matrix whose lower half is read."""
    left, factor = matrix.copy(), np.zeros_like(matrix)
    for k in range(len(matrix)):
        if not left[k, k] > 0.0:
            raise NotPositive
        factor[k:, k] = left[k:, k] / math.sqrt(left[k, k])
        left[k + 1 :, k + 1 :] -= factor[k + 1 :, k, None] * factor[None, k + 1 :, k]
    return factor


def _inverse_of_lower(factor: Floats) -> Floats:
    """The inverse of a small lower triangular matrix."""
    inverse = np.eye(len(factor))
    for k in range(len(factor)):
        inverse[k] /= factor[k, k]
        inverse[k + 1 :] -= factor[k + 1 :, k, None] * inverse[k]
    return inverse
