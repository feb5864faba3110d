#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the answers of stats/growth.h with those computed by scipy.

usage: compare_growth.py ANSWER_GROWTH

ANSWER_GROWTH is the program built from answer_growth.cc. Prints each answer
that differs; exits with 1 if there is any.
"""

import math
import random
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

try:
    import numpy as np
    from scipy import optimize, special, stats
except ImportError:
    print("compare_growth.py: needs scipy (Debian's python3-scipy)")
    sys.exit(77)

TOLERANCE = 1e-9


class Side(NamedTuple):
    value: float
    variance: float
    missed: float
    between_runs: float = 0
    degrees: float = math.inf

    def variance_at(self, alpha: float) -> float:
        """The larger one; that between runs comes from few runs."""
        if math.isinf(self.degrees):
            return max(self.variance, self.between_runs)
        # stats.t.isf() has only nine digits.
        share = special.betaincinv(self.degrees / 2, 0.5, 2 * alpha)
        student = self.degrees * (1 - share) / share
        widening = student / stats.norm.isf(alpha) ** 2
        return max(self.variance, self.between_runs * float(widening))

    def mirrored(self) -> "Side":
        return self._replace(value=-self.value, missed=0)

    def lower(self, alpha: float) -> float:
        if self.value < 0:
            return -self.mirrored().upper(alpha)
        variance = self.variance_at(alpha)
        if self.value == 0 or variance == 0:
            return self.value
        return gamma(self.value, variance).ppf(alpha)

    def upper(self, alpha: float) -> float:
        """The bound of Fay and Feuer."""
        if self.value < 0:
            return -self.mirrored().lower(alpha)
        variance = self.variance_at(alpha)
        worth = self.missed
        if self.value > 0:
            worth = max(worth, variance / self.value)
        if worth == 0:
            return self.value
        return gamma(self.value + worth, variance + worth**2).isf(alpha)


def gamma(mean: float, variance: float):
    """The gamma distribution with this mean and variance."""
    return stats.gamma(mean**2 / variance, scale=variance / mean)


def lower_bound(now: Side, base: Side, ratio: float, alpha: float) -> float:
    below = now.value - now.lower(alpha)
    above = base.upper(alpha) - base.value
    room = math.sqrt(below**2 + ratio**2 * above**2)
    return now.value - ratio * base.value - room


def upper_bound(now: Side, base: Side, ratio: float, alpha: float) -> float:
    above = now.upper(alpha) - now.value
    below = base.value - base.lower(alpha)
    room = math.sqrt(above**2 + ratio**2 * below**2)
    return now.value - ratio * base.value + room


def p_value(now: Side, base: Side, ratio: float, limit: float) -> float:
    """The smallest level at which growth beyond the limit is proven."""

    def excess(log_alpha: float) -> float:
        return lower_bound(now, base, ratio, math.exp(log_alpha)) - limit

    least, most = math.log(1e-12), math.log(0.49)
    if excess(most) <= 0:
        return 1
    if excess(least) > 0:
        return 0
    return math.exp(optimize.brentq(excess, least, most, xtol=1e-10))


def holm(p_values: list[float], alpha: float) -> list[bool]:
    """The textbook's procedure: from the smallest p-value up."""
    found = [False] * len(p_values)
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, index in enumerate(order):
        if p_values[index] >= alpha / (len(order) - rank):
            break
        found[index] = True
    return found


def random_side(numbers: random.Random, most_samples: float = 3e5) -> Side:
    period = 2.0 ** numbers.randint(0, 24)
    kind = numbers.random()
    if kind < 0.1:
        return Side(0, 0, period)
    if kind < 0.2:
        return Side(float(numbers.randint(0, 10**9)), 0, 0)
    samples = 10 ** numbers.uniform(-1, math.log10(most_samples))
    value = period * samples * numbers.uniform(0.5, 4)
    sign = -1 if kind < 0.25 else 1
    return Side(sign * value, value**2 / samples, period)


def near_side(numbers: random.Random, base: Side, ratio: float) -> Side:
    """A side whose difference from ratio*base is close to its error."""
    spread = math.sqrt(base.variance) + base.missed
    value = max(0.0, ratio * base.value + numbers.uniform(-3, 20) * spread)
    return Side(value, value * max(1.0, base.missed), base.missed)


# The numbers of the answer, or what says whether they are right.
Expected = list[float] | Callable[[list[float]], bool]


class Comparison:
    """Collects questions and scipy's answers, then asks the program."""

    def __init__(self) -> None:
        self.questions: list[str] = []
        self.expected: list[Expected] = []

    def add(self, name: str, arguments: list, expected: "Expected") -> None:
        words = [repr(float(number)) for number in arguments]
        self.questions.append(" ".join([name] + words))
        self.expected.append(expected)

    def differences(self, program: str) -> list[str]:
        run = subprocess.run(
            [program], input="\n".join(self.questions) + "\n",
            capture_output=True, text=True, check=True,
        )
        answers = [
            [float(word) for word in line.split()]
            for line in run.stdout.splitlines()
        ]
        if len(answers) != len(self.questions):
            return [f"{len(answers)} answers to {len(self.questions)} lines"]
        return [
            f"{question}: {answer}, expected {expected}"
            for question, answer, expected in zip(
                self.questions, answers, self.expected
            )
            if not is_expected(answer, expected)
        ]


def is_expected(answer: list[float], expected: Expected) -> bool:
    if callable(expected):
        return expected(answer)
    # A bound may be a small difference of large numbers.
    rounding = 1e-15 * max(map(abs, expected), default=0)
    return len(answer) == len(expected) and all(
        math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=max(1e-9, rounding))
        for a, b in zip(answer, expected)
    )


def add_bounds(comparison: Comparison, numbers: random.Random) -> None:
    alpha = 10 ** numbers.uniform(-8, math.log10(0.4))
    # For larger shapes, scipy 1.10 is wrong far below the mean.
    most_samples = 3e5 if alpha < 1e-3 else 1e12
    now = random_side(numbers, most_samples)
    base = random_side(numbers, most_samples)
    if numbers.random() < 0.5:
        degrees = numbers.choice([2, 4, 8.5, 60, math.inf])
        now, base = (
            side._replace(
                between_runs=side.variance * numbers.uniform(0.1, 4),
                degrees=degrees,
            )
            for side in (now, base)
        )
    ratio = numbers.choice([0, 0.9, 1, 1.05, 2])
    comparison.add(
        "bounds", [*now, *base, ratio, alpha],
        [
            lower_bound(now, base, ratio, alpha),
            upper_bound(now, base, ratio, alpha),
        ],
    )


def add_family(comparison: Comparison, numbers: random.Random) -> None:
    alpha = numbers.choice([0.01, 0.05, 0.2])
    tests = []
    for _ in range(numbers.randint(1, 40)):
        base = random_side(numbers)
        ratio = numbers.choice([1, 1.05, 1.5])
        now = near_side(numbers, base, ratio)
        limit = numbers.choice([0, 0, 2 * base.missed])
        tests.append((now, base, ratio, limit))
    p_values = [p_value(*test) for test in tests]
    arguments = [alpha, len(tests)]
    for now, base, ratio, limit in tests:
        arguments += [*now, *base, ratio, limit]
    comparison.add("found", arguments, holm(p_values, alpha))


def random_runs(numbers: random.Random, least: int) -> list[list[float]]:
    mean = 10 ** numbers.uniform(4, 9)
    spread = mean * numbers.uniform(0.01, 0.4)
    return [
        [numbers.gauss(mean, spread), spread**2 * numbers.uniform(0.2, 1)]
        for _ in range(numbers.randint(least, 10))
    ]


def flat(runs: list[list[float]]) -> list[float]:
    return [len(runs), *(number for run in runs for number in run)]


def add_variation(comparison: Comparison, numbers: random.Random) -> None:
    sides = [random_runs(numbers, 1) for _ in range(2)]
    squares = degrees = 0.0
    for runs in sides:
        if len(runs) >= 3:
            values, variances = zip(*runs)
            stated = math.fsum(variances) / len(runs)
            squares += float(stats.tvar(values)) * (len(runs) - 1) / stated
            degrees += len(runs) - 1
    expected = [squares / degrees, degrees] if degrees else [1, math.inf]
    comparison.add("variation", flat(sides[0]) + flat(sides[1]), expected)


class Spread(NamedTuple):
    """How much runs of entries differ; an element for each entry."""

    squares: np.ndarray  # of the deviations from the mean, summed
    degrees: np.ndarray
    sampling: np.ndarray  # variances of a run
    bytes: np.ndarray

    def log_likelihood(
        self, sampling: float, relative: float, prior: float
    ) -> float:
        variance = sampling * self.sampling + relative * self.bytes**2
        ratio = self.squares / self.degrees / variance
        if math.isinf(prior):
            logs = stats.chi2.logpdf(ratio * self.degrees, self.degrees)
            logs += np.log(self.degrees)
        else:
            logs = stats.f.logpdf(ratio, self.degrees, prior)
        return float(np.sum(logs - np.log(variance)))

    def log_posterior(
        self, sampling: float, relative: float, prior: float
    ) -> float:
        octaves = math.log2(min(prior, 512))
        return self.log_likelihood(sampling, relative, prior) + float(
            stats.norm.logpdf(octaves, 4, 2)
        )

    def highest_posterior(self) -> float:
        def lowest(prior: float) -> float:
            return min(
                optimize.minimize(
                    lambda x: -self.log_posterior(x[0], x[1], prior), start,
                    bounds=[(1, None), (0, None)], method="Nelder-Mead",
                    options={"xatol": 1e-6, "fatol": 1e-4},
                ).fun
                for start in ([1.5, 0.01], [1, 0.1])
            )

        priors = [2.0**power for power in range(9)] + [math.inf]
        return -min(lowest(prior) for prior in priors)


def add_common_variation(
    comparison: Comparison, numbers: random.Random
) -> None:
    # If every allocation is sampled, only the relative part is left.
    is_exact = numbers.random() < 0.25
    sampling = numbers.uniform(1, 4)
    relative = numbers.choice([0.01, 0.1] if is_exact else [0, 0.01, 0.1])
    prior = numbers.choice([2, 8, 40])
    arguments: list[float] = [numbers.randint(20, 80)]
    rows = []
    for _ in range(arguments[0]):
        size = 10 ** numbers.uniform(6, 9)
        variance = 0.0 if is_exact else size * 65536
        alike = math.sqrt(sampling * variance + relative * size**2)
        spread = alike * math.sqrt(prior / numbers.gammavariate(prior / 2, 2))
        runs = [
            [abs(numbers.gauss(size, spread)), variance]
            for _ in range(numbers.randint(3, 6))
        ]
        # A base with one run does not tell.
        arguments += flat(runs) + flat([[1.0, 1.0]])
        values = [value for value, _ in runs]
        mean = math.fsum(values) / len(values)
        squares = math.fsum((value - mean) ** 2 for value in values)
        rows.append((squares, len(runs) - 1, variance, mean))
    table = Spread(*map(np.array, zip(*rows)))

    def is_most_likely(answer: list[float]) -> bool:
        tolerance = 0.02
        return (
            table.log_posterior(*answer)
            >= table.highest_posterior() - tolerance
        )

    comparison.add("common_variation", arguments, is_most_likely)


def is_found(
    base: Side, ratio: float, limit: float, growth: float, alpha: float
) -> bool:
    """Whether `growth` beyond the limit is proven."""
    now = Side(
        ratio * base.value + growth,
        ratio * base.variance + base.missed * growth,
        base.missed,
    )
    return lower_bound(now, base, ratio, alpha) > limit


def detectable(
    base: Side, ratio: float, limit: float, alpha: float, power: float
) -> float:
    def excess(growth: float) -> float:
        expected = limit + growth
        variance = (ratio + ratio**2) * base.variance + base.missed * expected
        unlucky = expected - stats.norm.ppf(power) * math.sqrt(variance)
        if unlucky <= limit:
            return -1.0
        return 1.0 if is_found(base, ratio, limit, unlucky, alpha) else -1.0

    most = 1e3 * (base.missed + math.sqrt(base.variance) + base.value + limit)
    return optimize.bisect(excess, 0, most, xtol=1e-12, rtol=1e-12)


def add_detectable(comparison: Comparison, numbers: random.Random) -> None:
    base = random_side(numbers)
    if base.value < 0 or base.missed == 0:
        base = Side(0, 0, 524288)
    ratio = numbers.choice([1, 1.05])
    limit = numbers.choice([0, 2.0**20])
    alpha = numbers.choice([0.05, 0.05 / 300])
    power = numbers.choice([0.5, 0.9])
    comparison.add(
        "detectable", [*base, *base, ratio, limit, alpha, power],
        [detectable(base, ratio, limit, alpha, power)],
    )


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    numbers = random.Random(17)
    comparison = Comparison()
    for _ in range(1000):
        add_bounds(comparison, numbers)
        add_variation(comparison, numbers)
    for _ in range(20):
        add_family(comparison, numbers)
        add_common_variation(comparison, numbers)
        add_detectable(comparison, numbers)
    differences = comparison.differences(sys.argv[1])
    for difference in differences[:20]:
        print(difference)
    print(f"{len(differences)} of {len(comparison.questions)} answers differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
