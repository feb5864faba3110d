#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each accepted difference from jeprof makes the two lines of its example equal,
# which they are not otherwise, and leaves the other examples alone.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/accepted.inc"

readonly others=$'demo::Grow (inline)\n   512    512 demo::operators\n  12 Total B'
count=0
for ((i = 0; i < ${#accepted_differences[@]}; i += 5)); do
  name=${accepted_differences[i]}
  theirs=${accepted_differences[i + 3]}
  ours=${accepted_differences[i + 4]}
  [[ $theirs != "$ours" ]] || fail "$name" "an example of it" "$ours"
  expect_equal "$name" "$(accept "$name" <<<"$theirs")" \
    "$(accept "$name" <<<"$ours")"
  expect_equal "$name elsewhere" "$others" "$(accept "$name" <<<"$others")"
  count=$((count + 1))
done
expect_equal "differences" "${#accepted_differences[@]}" $((5 * count))
