# SPDX-License-Identifier: Apache-2.0
"""dicts.py SEED OUTPUT

A Python program with a dense table of dicts, copied from one, and with 400 000
dicts that are displayed, of which one in twenty is left when those to go were
chosen at random. Writes how many free bytes the entries of each kind keep in
their slabs, as jemalloc says. Needs jemalloc and PYTHONMALLOC=malloc, and ends
without freeing anything.
"""

import ctypes
import json
import os
import random
import sys

COPIED, DISPLAYED, LEFT = 200_000, 400_000, 20
KEYS_IN_DICT = 32  # offset of the pointer to a dict's entries

jemalloc = ctypes.CDLL(None)


class Utilization(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("free", "regions", "size")]


def free_share(pointer):
    """See FreeShare() in snapshot.h."""
    answer = Utilization()
    size = ctypes.c_size_t(ctypes.sizeof(answer))
    query = ctypes.c_void_p(pointer)
    failed = jemalloc.mallctl(
        b"experimental.utilization.batch_query", ctypes.byref(answer),
        ctypes.byref(size), ctypes.byref(query), ctypes.c_size_t(8))
    if failed or answer.regions < 2:
        return 0
    used = answer.regions - answer.free
    return answer.free / used * answer.size / answer.regions


def kept_by(dicts):
    return sum(free_share(ctypes.c_size_t.from_address(
        id(one) + KEYS_IN_DICT).value) for one in dicts)


def main():
    random.seed(int(sys.argv[1]))
    pattern = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8}
    copied = [pattern.copy() for _ in range(COPIED)]
    displayed = [{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7,
                  "h": 8} for _ in range(DISPLAYED)]
    order = list(range(DISPLAYED))
    random.shuffle(order)
    for i in order[DISPLAYED // LEFT:]:
        displayed[i] = None
    jemalloc.mallctl(b"thread.tcache.flush", None, None, None,
                     ctypes.c_size_t(0))
    kept = {"copied": kept_by(copied),
            "displayed": kept_by(one for one in displayed if one is not None)}
    with open(sys.argv[2], "w", encoding="ascii") as output:
        json.dump(kept, output)
    os._exit(0)


main()
