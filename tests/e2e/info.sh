#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# info says what is in a dump, what has names, why the rest has none, and what
# to do about it.
. "$(dirname "$0")/common.inc"

readonly id='[0-9a-f]{40}'

# info ARGUMENT...: its facts, one per line however long the paths of this
# machine are, to $tmp/facts.
info() {
  run info "$@"
  sed -z 's/\n \{20\}/ /g' "$tmp/out" >"$tmp/facts"
}

info "$E2E/sampled/quickstart.gcc-O2.heap"
expect_status 0
expect_empty err
expect_match facts '^  written by        jemalloc 4\.0 or later$'
expect_match facts '^  sampling period   4096 bytes$'
expect_match facts '^  threads           [1-9]'
expect_match facts '^  inuse_space  .* \([0-9.]+ MiB to [0-9.]+ MiB with 95 %'
expect_match facts "^  build id          $id$"
expect_match facts '^  debug info        DWARF 5 in the file itself$'
expect_no_match out ' $'

info "$dumps/inlining.gcc-O2-dwarf4.heap"
expect_match facts '^  debug info        DWARF 4 in the file itself$'
info "$dumps/inlining.gcc-O2-debuglink.heap"
expect_match facts \
  '^  debug info        DWARF 5 in .*/gcc-O2-debuglink/inlining\.debug$'

info "$dumps/inlining.gcc-O2-stripped.heap"
expect_match facts '^  tried             /usr/lib/debug/\.build-id/../.*\.debug$'
expect_match facts "^  missing           no debug information for build id"
expect_match facts "^    curl -fL .*-o debug/.build-id/../[0-9a-f]+\.debug \
https://debuginfod\.elfutils\.org/buildid/$id/debuginfo$"

sed 's,/gcc-O2/growth$,/gone/growth,' "$dumps/growth.first.heap" >"$tmp/d.heap"
info "$tmp/d.heap"
expect_match facts '^  missing           [^ ]*/gone/growth not found$'
expect_match facts '^  remedy            copy the file'
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

# A service's endpoint that counts bytes only has no number of objects.
python3 "$(dirname "$0")/pprof_layout.py" D "$dumps/inlining.gcc-O2.heap" \
  "$tmp/service.pb.gz"
info "$tmp/service.pb.gz"
expect_match facts '^  inuse_space       [1-9]'
expect_no_match facts 'inuse_objects'

# A debug file that is none of the dump's modules'.
run "$bin/gcc-O2-debuglink/inlining.debug" "$dumps/growth.first.heap"
expect_status 0
expect_match err 'warning: .*/inlining\.debug: not the debug file of any module; '\
"its build id is $id\$"

run info "$dumps/growth.first.heap" "$dumps/growth.again.heap"
expect_status 2
expect_match err 'info takes one dump, found 2'
