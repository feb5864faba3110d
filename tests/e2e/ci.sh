#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --ci adds the error of each row to the table of --text, and the first line on
# a terminal has that of the total.
. "$(dirname "$0")/common.inc"

readonly sampled=$E2E/sampled/quickstart.gcc-O2.heap
readonly other=$E2E/sampled/quickstart.clang-O2.heap
readonly exact=$dumps/inlining.gcc-O2.heap
readonly error='(±<?[0-9.]+|-?[0-9.]+\.\.-?[0-9.]+)'

# show ARGUMENT...: what a terminal of 80 columns receives.
show() {
  on_terminal "80 rows 24" "$HEAPPROF --quiet $*"
}

# The columns of jeprof stay as they are.
for options in "" --cum --show_bytes "--base $other"; do
  # shellcheck disable=SC2086
  run --text $options "$sampled"
  cp "$tmp/out" "$tmp/plain"
  # shellcheck disable=SC2086
  run --text --ci $options "$sampled"
  expect_status 0
  expect_match out "% +$error +[0-9]+ main\$"
  sed -E "s/^(( *[^ ]+){5}) +$error +[0-9]+ /\1 /" "$tmp/out" >"$tmp/seen"
  expect_same plain seen
done

# The errors are the bounds of --json, of the column that sorts the rows.
for option in --nocum --cum; do
  run --text --ci --show_bytes $option "$sampled"
  tail -n +2 "$tmp/out" | awk '{ print $6, $7 }' >"$tmp/seen"
  run --json $option "$sampled"
  jq -r --arg part "$([[ $option == --cum ]] && echo cumulative || echo flat)" '
    .rows[] | .[$part] | .value as $value | .interval
    | "\(.lower) \($value) \(.upper)"' "$tmp/out" >"$tmp/bounds"
  python3 - "$tmp/bounds" "$tmp/seen" "$option" <<'PYTHON' || fail errors bounds differ
import sys
bounds, seen = (open(path).read().splitlines() for path in sys.argv[1:3])
assert len(bounds) == len(seen) > 9
shapes = set()
for bound, line in zip(bounds, seen):
    lower, value, upper = map(int, bound.split())
    error = line.split()[0]
    below, above = value - lower, upper - value
    shapes.add(error[0] == "±")
    if error[0] == "±":
        assert abs(int(error[1:]) - max(below, above)) <= 2, (bound, line)
        assert max(below, above) <= 1.5 * min(below, above) + 3, (bound, line)
    else:
        low, high = map(int, error.split(".."))
        assert abs(low - lower) <= 1 and abs(high - upper) <= 1, (bound, line)
        assert max(below, above) >= 1.5 * min(below, above) - 3, (bound, line)
assert shapes == {True, False} or sys.argv[3] == "--cum"
PYTHON
done

# Without samples there is nothing to show.
run --text --ci "$exact"
expect_status 0
expect_match out '% +exact +- main$'
run --text --ci --inuse_objects "$sampled"
expect_status 0
expect_match err '^heapprof: --ci: numbers of objects have no error bars: '
expect_match out '% main$'
run --text --inuse_objects "$sampled"
expect_no_match err '\-\-ci'

# Threads, one or each.
run --ci --thread=1 "$sampled"
expect_match out "% +$error +[0-9]+ "
run --ci --thread='*' "$sampled"
expect_equal "tables" "$(grep -c '^Total' "$tmp/out")" \
  "$(grep -cE "% +$error +[0-9]+ .*__clone3|% +$error +[0-9]+ main\$" "$tmp/out")"

# The first line on a terminal, and in a pipe.
show --text "$sampled"
expect_equal "a total on a terminal" 1 \
  "$(head -n 1 "$tmp/out" | grep -cE '^Total: [0-9.]+ ± [0-9.]+ MiB$')"
show --text --show_bytes --base "$other" "$sampled"
expect_match out '^Total: -?[0-9]+ (± [0-9]+ B|B \(-?[0-9]+ B to -?[0-9]+ B\))$'
show --text "$exact"
expect_match out '^Total: [0-9.]+ KiB \(exact\)$'
# The rows are in KiB, too.
expect_equal "the sum of rows in KiB" \
  "$(sed -n 's/^Total: \([0-9.]*\) KiB .*/\1/p' "$tmp/out")" \
  "$(awk 'NR > 2 { sum += $1 } END { printf "%.1f", sum }' "$tmp/out")"
show --text --inuse_objects "$sampled"
expect_match out '^Total: [0-9]+ objects$'
run --text --ci "$sampled"
expect_match out '^Total: [0-9.]+ MB$'

show --text --ci "$sampled"
expect_match out '^    self  share    sum  with callees      error   n_eff function$'
longest=$(LC_ALL=C.UTF-8 wc -L <"$tmp/out")
[[ $longest -le 80 ]] || fail "longest line" "at most 80" "$longest"

expect_usage_error '--ci works only with --text and --json$' --ci --dot "$exact"
