#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks every shell script with shellcheck, whose settings are in
# .shellcheckrc.
set -euo pipefail
cd "$(dirname "$0")/../.."
find .ci scripts testdata tests -type f \
  \( -name '*.sh' -o -name '*.inc' -o -path .ci/run \) -print0 |
  sort -z |
  xargs -0 -n 20 -P "$(nproc)" shellcheck --format=gcc
