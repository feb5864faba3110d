#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Random programs with split debug information: a dozen, or 200 with
# HEAPPROF_FULL=1; HEAPPROF_SEED chooses others.
. "$(dirname "$0")/common.inc"

count=12
[[ -z ${HEAPPROF_FULL-} ]] || count=200
python3 -B "$(dirname "$0")/split_programs.py" "$count" "${HEAPPROF_SEED-0}"
