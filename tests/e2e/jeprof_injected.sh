#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The comparison with jeprof fails on a report that is wrong in one number or
# one name.
. "$(dirname "$0")/common.inc"

compare=$(dirname "$0")/../oracle/compare_jeprof.py
readonly input=(--binary "$bin/gcc-O2/inlining" \
  "$dumps/inlining.gcc-O2.heap")

# jeprof is slow, and its report is always the same: run it only once.
mkdir "$tmp/tools"
cat >"$tmp/tools/jeprof" <<END
#!/bin/sh
report=$tmp/jeprof.\$(echo "\$*" | cksum | tr -d ' ')
[ -f "\$report" ] || '$(command -v jeprof)' "\$@" >"\$report"
cat "\$report"
END
chmod +x "$tmp/tools/jeprof"
PATH=$tmp/tools:$PATH

# compare_with FILTER MODE: compares jeprof's report with ours as changed by
# FILTER, a sed script.
compare_with() {
  cat >"$tmp/heapprof" <<END
#!/bin/sh
'$HEAPPROF' "\$@" | sed '$1'
END
  chmod +x "$tmp/heapprof"
  status=0
  command_line="compare_jeprof.py with $1"
  HEAPPROF=$tmp/heapprof python3 -B "$compare" --modes "$2" \
    --joined "$E2E/joined" "${input[@]}" >"$tmp/out" 2>"$tmp/err" || status=$?
}

compare_with '' text
expect_status 0
for filter in '1s/[0-9]/9/' 's/131072/131073/' 's/demo::Middle/demo::Muddle/' \
  '3d' '$p' 's/HoldChain$/&@1234/' 's/Inner (inline)/Inner/'; do
  compare_with "$filter" text
  expect_status 1
  expect_empty err
  expect_match out '^text: .*jeprof'
done
for filter in 's/131072/131071/' 's/Outer/Outre/' '2d' 's/;main;/;/'; do
  compare_with "$filter" collapsed
  expect_status 1
  expect_match out '^collapsed: .*jeprof'
done
