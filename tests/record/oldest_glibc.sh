#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The library that `heapprof record` preloads loads into programs on hosts with
# glibc 2.17, whatever glibc it was linked with.
#
# usage: oldest_glibc.sh LIBRARY
set -euo pipefail

newest=$(objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1)
if [[ $newest != GLIBC_2.17 ]]; then
  echo "expected symbols up to GLIBC_2.17, found:" >&2
  objdump -T "$1" | grep "$newest" >&2
  exit 1
fi
