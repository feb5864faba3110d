#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# info says what is in a dump, what has names, why the rest has none, and what
# to do about it.
. "$(dirname "$0")/common.inc"

readonly id='[0-9a-f]{40}'

run info "$E2E/sampled/quickstart.gcc-O2.heap"
expect_status 0
expect_empty err
expect_match out '^  written by        jemalloc 4\.0 or later$'
expect_match out '^  sampling period   4096 bytes$'
expect_match out '^  threads           [1-9]'
expect_match out '^  inuse_space  .* \([0-9.]+ MiB to [0-9.]+ MiB with 95 %'
expect_match out "^  build id          $id$"
expect_match out '^  debug info        DWARF 5 in the file itself$'
expect_no_match out ' $'

run info "$dumps/inlining.gcc-O2-dwarf4.heap"
expect_match out '^  debug info        DWARF 4 in the file itself$'
run info "$dumps/inlining.gcc-O2-debuglink.heap"
expect_match out '^  debug info        DWARF 5 in( |$)'
expect_match out 'gcc-O2-debuglink/inlining\.debug$'

run info "$dumps/inlining.gcc-O2-stripped.heap"
expect_match out '^  tried             /usr/lib/debug/\.build-id/../.*\.debug$'
expect_match out "^  missing           no debug information for build id"
expect_match out "^    curl -fL .*-o debug/.build-id/../[0-9a-f]+\.debug \
https://debuginfod\.elfutils\.org/buildid/$id/debuginfo$"

sed 's,/gcc-O2/growth$,/gone/growth,' "$dumps/growth.first.heap" >"$tmp/d.heap"
run info "$tmp/d.heap"
expect_match out '^  missing .*/gone/growth not found|^ {20}.*/gone/growth$'
expect_match out '^  remedy            copy the file'
# The same as the other reports say in one line.
summary=$(sed -n 's/^Modules: //p' "$tmp/out")
run "$tmp/d.heap"
expect_equal summary "$summary" "$(sed -n \
  's/^heapprof: \(.*\) modules\( unres.*\)bytes).*/\1\2inuse_space)/p' \
  "$tmp/err")"

run info --json -o "$tmp/info.json" "$bin/gcc-O2/growth" "$tmp/d.heap"
expect_status 0
python3 - "$tmp/info.json" "$bin/gcc-O2/growth" <<'EOF' || fail json valid invalid
import json, sys
info = json.load(open(sys.argv[1]))
assert (info["schema"], info["schema_version"]) == ("heapprof.info", 1)
[growth] = [m for m in info["modules"] if m["path"].endswith("/gone/growth")]
assert growth["file"] == sys.argv[2] and growth["dwarf_versions"] == [5]
assert growth["missing"] is None and growth["unresolved_addresses"] == 0
EOF

run info "$dumps/growth.first.heap" "$dumps/growth.again.heap"
expect_status 2
expect_match err 'info takes one dump, found 2'
