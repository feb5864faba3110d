#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the answers of stats/slope.h with those of numpy and scipy.

usage: compare_slopes.py ANSWER_SLOPES

ANSWER_SLOPES is the program built from answer_slopes.cc. The formulas are those
of the comment in slope.h, written with matrices. Prints each answer that
differs; exits with 1 if there is any.
"""

import random
import subprocess
import sys

try:
    import numpy
    from scipy import stats
except ImportError:
    print("compare_slopes.py: needs scipy (Debian's python3-scipy)")
    sys.exit(77)

TOLERANCE = 1e-7
TAIL = 0.025


def lines(at, values, weights):
    """The coefficients of the line, and the hat matrix."""
    design = numpy.column_stack([numpy.ones_like(at), at])
    root = numpy.sqrt(weights)[:, None]
    solve = numpy.linalg.pinv(design * root) * root.T
    return solve @ values, design @ solve, solve


def widening(degrees):
    return (stats.t.isf(0.05, degrees) / stats.norm.isf(0.05)) ** 2


def covariance(at, variances, extra, lifetime):
    count = len(at)
    matrix = numpy.empty((count, count))
    for i in range(count):
        for j in range(count):
            low, high = min(i, j), max(i, j)
            matrix[i, j] = (variances[low:high + 1].min() + extra) * numpy.exp(
                -abs(at[i] - at[j]) / lifetime)
    return matrix


def gamma_bounds(value, variance, missed):
    """Fay and Feuer."""
    lower = upper = value
    if value > 0 and variance > 0:
        lower = stats.gamma.ppf(TAIL, value**2 / variance,
                                scale=variance / value)
    worth = max(missed, variance / value if value > 0 else 0)
    if worth > 0:
        mean, spread = value + worth, variance + worth**2
        upper = stats.gamma.isf(TAIL, mean**2 / spread, scale=spread / mean)
    return lower, upper


def fit(missed, at, values, variances):
    count = len(at)
    degrees = count - 2
    equal = numpy.ones(count)
    line, hat, _ = lines(at, values, equal)
    residuals = values - hat @ values
    extra = 0.0
    if degrees > 0:
        explained = (variances * (1 - numpy.diag(hat))).sum()
        extra = (max(0, (residuals**2).sum() - explained) / degrees *
                 widening(degrees))
    smooth = lines(at, variances, equal)[1] @ variances
    weights = 1 / (numpy.maximum(smooth, 0.1 * variances.mean()) + extra)
    line, _, solve = lines(at, values, weights)
    slope, factors = line[1], solve[1]
    jumps = numpy.diff(values) - slope * numpy.diff(at)
    most = numpy.inf
    if degrees > 0:
        most = (jumps**2).sum() * degrees / stats.chi2.ppf(0.05, degrees)
    span = at[-1] - at[0]
    lifetimes = [8 * span / 2**k for k in range(64)]
    lifetimes = [t for t in lifetimes if t > span / (4 * count)]
    least = numpy.minimum(variances[1:], variances[:-1]) + extra
    piled = numpy.abs(numpy.diff(variances)).sum()
    if most > piled:  # else the memory stays
        longer = 2 * (numpy.diff(at) * least).sum() / (most - piled)
        lifetimes += [longer] if longer > 8 * span else []
    variance = 0.0
    for lifetime in [numpy.inf, *lifetimes]:
        matrix = covariance(at, variances, extra, lifetime)
        diagonal = numpy.diag(matrix)
        expected = (diagonal[1:] + diagonal[:-1] -
                    2 * numpy.diag(matrix, 1)).sum()
        if lifetime > 8 * span or expected <= most:
            variance = max(variance, factors @ matrix @ factors)
    above = factors[::-1].cumsum()[::-1][1:]
    steps = above * numpy.diff(values)
    rise, fall = steps[steps > 0].sum(), -steps[steps < 0].sum()
    worth = missed * above.max()
    if rise + fall == 0:
        variance = 0.0
    share = variance / (rise + fall) if rise + fall > 0 else 0
    low_rise, high_rise = gamma_bounds(rise, share * rise, worth)
    low_fall, high_fall = gamma_bounds(fall, share * fall, worth)
    normal = stats.norm.isf(TAIL) * variance**0.5
    lower = slope - numpy.hypot(rise - low_rise, high_fall - fall)
    upper = slope + numpy.hypot(high_rise - rise, fall - low_fall)
    return (slope, variance, min(lower, slope - normal),
            max(upper, slope + normal))


def make_question(chooser):
    """With at most 64 points, of which none are taken together."""
    count = chooser.choice([2, 3, 4, 5, 8, 16, 41, 64])
    period = chooser.choice([0, 65536, 524288])
    at = numpy.cumsum([chooser.uniform(0.5, 2) for _ in range(count)])
    level, rate = chooser.uniform(0, 3e8), chooser.uniform(-1e6, 5e6)
    noise = chooser.choice([0, 1e5, 3e7])
    values = numpy.array([
        max(0, round(level + rate * place + chooser.gauss(0, noise)))
        for place in at
    ], dtype=float)
    if period == 0:
        values += 1
    variances = values * period
    if period == 0 and chooser.random() < 0.5:
        variances = values * 100
    return period, at, values, variances


def main() -> int:
    chooser = random.Random(1)
    questions = [make_question(chooser) for _ in range(400)]
    # Exact values without scatter have no weights.
    questions = [question for question in questions if question[3].any()]
    text = "".join(
        f"{missed} {len(at)} " + " ".join(
            f"{x!r} {y!r} {v!r}"
            for x, y, v in zip(at.tolist(), values.tolist(),
                               variances.tolist())) + "\n"
        for missed, at, values, variances in questions)
    done = subprocess.run([sys.argv[1]], input=text, capture_output=True,
                          text=True, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(questions)
    wrong = 0
    for question, answer in zip(questions, answers):
        expected = fit(*question)
        found = [float(number) for number in answer.split()]
        scale = max(map(abs, expected[:1] + expected[2:]))
        for name, a, b in zip(("slope", "variance", "lower", "upper"),
                              expected, found):
            size = max(abs(a), scale**2 if name == "variance" else scale)
            if abs(a - b) > TOLERANCE * size:
                print(f"{name} of {len(question[1])} points: numpy {a!r}, "
                      f"heapprof {b!r}")
                wrong += 1
    print(f"{len(questions)} questions, {wrong} wrong answers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
