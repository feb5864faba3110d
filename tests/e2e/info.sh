#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# info says what is in a dump, which modules have names, why the others have
# none, and what the user can do.
. "$(dirname "$0")/common.inc"

readonly id='[0-9a-f]{40}'

# info ARGUMENT...: its facts, one per line however long the paths of this
# machine are, to $tmp/facts.
info() {
  run info --verbose "$@"
  sed -z 's/\n \{20\}/ /g' "$tmp/out" >"$tmp/facts"
}

info "$E2E/sampled/quickstart.gcc-O2.heap"
expect_status 0
expect_match facts '^  program           /.*/quickstart$'
expect_match facts '^  format            jemalloc heap dump \(jemalloc 4\.0 or later\)$'
expect_match facts '^  sampling          one sample per 4 KiB on average$'
expect_match facts '^  stacks            [1-9][0-9]*, of [1-9][0-9]* threads$'
expect_match facts '^  live  .* \([0-9.]+ MiB to [0-9.]+ MiB with 95 % confidence\), about [0-9]+ objects$'
expect_match facts '^  named             99\.[0-9]% of the live bytes, [0-9.]+% with source lines$'
expect_match facts "^  build id          $id$"
expect_match facts '^  fit +100 % of [1-9][0-9]* return addresses follow a call$'
expect_match facts \
  '^  named +[0-9]+ of [0-9]+ addresses, [0-9]+ of [0-9]+ stacks, [0-9.]+% of'
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
# The other reports say so in one line, with the same number of bytes.
named=$(sed -n 's/^  named  *\([0-9.]*\)% of the live bytes.*/\1/p' "$tmp/facts")
run "$tmp/d.heap"
nameless=$(sed -n 's/^heapprof: \([0-9.]*\)% of bytes have no names: growth was '\
'not found.*; see heapprof info.*/\1/p' "$tmp/err")
expect_equal "bytes with and without a name" 100.0 \
  "$(awk "BEGIN { printf \"%.1f\", ${named:--1} + ${nameless:--1} }")"

run info --json -o "$tmp/info.json" "$bin/gcc-O2/growth" "$tmp/d.heap"
expect_status 0
python3 - "$tmp/info.json" "$bin/gcc-O2/growth" <<'EOF' || fail json valid invalid
import json, sys
info = json.load(open(sys.argv[1]))
assert (info["schema"], info["schema_version"]) == ("heapprof.info", 2)
[growth] = [m for m in info["modules"] if m["path"].endswith("/gone/growth")]
assert growth["file"] == sys.argv[2] and growth["dwarf_versions"] == [5]
assert growth["status"] == "ok" and growth["is_main_program"]
assert growth["nameless_share"] == 0 and growth["addresses_with_lines"] > 0
assert info["dump"]["program"] == growth["path"]
assert growth["missing"] is None and growth["unresolved_addresses"] == 0
assert growth["stacks"] > 0 and growth["unresolved_stacks"] == 0
assert 0 < growth["after_call"] == growth["return_addresses"]
EOF

# Without --verbose, the output fits a screen: a line for each module that
# matters, and one command for all modules that lack the same thing.
run info "$dumps/inlining.gcc-O2-stripped.heap"
expect_no_match out 'tried|build id|curl|return addresses'
[[ $(wc -l <"$tmp/out") -le 40 ]] || fail info "40 lines" "$(wc -l <"$tmp/out")"
expect_match out '^  sampling          none: the totals are exact$'
expect_match out '^  live              [0-9.]+ KiB, [0-9]+ objects$'
expect_match out '^  share  no names  status       module$'
expect_match out '^ *[0-9.]+% +[0-9.]+%  no names     /.*/inlining$'
sed "s,/[^ ]*/inlining\$,/opt/$(printf 'x%.0s' {1..90})/a;b," \
  "$dumps/inlining.gcc-O2.heap" >"$tmp/long.heap"
for columns in 60 80 120; do
  on_terminal "$columns" \
    "$HEAPPROF info '$tmp/long.heap'; $HEAPPROF -o $tmp/file '$tmp/long.heap'"
  expect_match out '^ *[0-9.]+% +[0-9.]+%  missing      .*…x*/a;b$'
  expect_match out "^heapprof: [0-9.]+% of bytes have no names.*; see heapprof info[)]?\$"
  # Paths and commands are for copying: they stay whole.
  longest=$(grep -v "^File not found\|^/\|^  program\|^ *'\|^    " "$tmp/out" |
    LC_ALL=C.UTF-8 wc -L)
  [[ $longest -le $columns ]] || fail "longest line" "$columns" "$longest"
done

# A terminal of 24 rows still shows the first line when the shell prompts again.
# --verbose shows all.
screen() {
  on_terminal "80 rows 24" "$HEAPPROF info $*"
}
stripped=$dumps/inlining.gcc-O2-stripped.heap
run info "$stripped"
[[ $(wc -l <"$tmp/out") -ge 24 ]] || fail info "24 lines" "$(cat "$tmp/out")"
screen "$stripped"
[[ $(wc -l <"$tmp/out") -le 23 ]] || fail info "23 lines" "$(cat "$tmp/out")"
expect_match out '^  --verbose shows all modules, more remedies, and '
screen --verbose "$stripped"
expect_match out '^  remedy '

# --top says how many modules; the others are one line.
run info --top 1 "$dumps/inlining.gcc-O2.heap"
expect_match out '^  [0-9]+ more modules with [<0-9.]+%: '
run info --top 0 "$dumps/inlining.gcc-O2.heap"
expect_no_match out 'more module'

# Every place that is searched, in order, also for a debug file.
sed 's,/[^ ]*/inlining$,/opt/app/server,' "$dumps/inlining.gcc-O2.heap" \
  >"$tmp/c.heap"
cat >"$tmp/expected" <<EOF
$tmp/sp/opt/app/server
$tmp/sp/app/server
$tmp/sp/server
$tmp/mapped/app/server
$tmp/root/opt/app/server
/opt/app/server
EOF
mkdir "$tmp/given" "$tmp/root"
cp "$bin/clang-O2-lld/inlining" "$tmp/given/server"
places=(--symbol-path="$tmp/sp" --path-map "/opt=$tmp/mapped"
  --sysroot "$tmp/root" --debug-dir "$tmp/debug")
# tried: the places of a module, to $tmp/tried.
tried() {
  info "${places[@]}" "$@"
  awk '/\/opt\/app\/server$/ { on = 1 } /^$/ { on = 0 } on' "$tmp/facts" |
    sed -n 's/^  tried  *//p' >"$tmp/tried"
}
tried "$tmp/given/server" "$tmp/c.heap"
expect_equal "what was given" \
  "$tmp/given/server: not the program that wrote the dump: \
none of its N return addresses follows a call instruction" \
  "$(sed -n '1s/of its [0-9]* /of its N /p' "$tmp/tried")"
tried "$tmp/c.heap"
expect_same expected tried
run info --json "${places[@]}" "$tmp/c.heap"
python3 - "$tmp/out" >"$tmp/tried" <<'EOF'
import json, sys
for module in json.load(open(sys.argv[1]))["modules"]:
    if module["path"] == "/opt/app/server":
        assert module["status"] == "missing"
        for place in module["tried"]:
            assert place["outcome"] == "not found"
            print(place["path"])
EOF
expect_same expected tried

mkdir -p "$tmp/root/opt/app"
strip -o "$tmp/root/opt/app/server" "$bin/gcc-O2/inlining"
build_id=$(readelf -n "$tmp/root/opt/app/server" | sed -n 's/.*Build ID: //p')
tail=.build-id/${build_id:0:2}/${build_id:2}.debug
head -n 4 "$tmp/expected" >"$tmp/more"
cat >>"$tmp/more" <<EOF
$tmp/root/opt/app/server.debug
$tmp/root/opt/app/.debug/server.debug
$tmp/debug$tmp/root/opt/app/server.debug
$tmp/debug/opt/app/server.debug
$tmp/root/usr/lib/debug$tmp/root/opt/app/server.debug
$tmp/root/usr/lib/debug/opt/app/server.debug
/usr/lib/debug$tmp/root/opt/app/server.debug
/usr/lib/debug/opt/app/server.debug
$tmp/debug/server.debug
$tmp/debug/$tail
$tmp/root/usr/lib/debug/$tail
/usr/lib/debug/$tail
$HOME/.debuginfod_client_cache/$build_id/debuginfo
$XDG_CACHE_HOME/debuginfod_client/$build_id/debuginfo
$HOME/.cache/debuginfod_client/$build_id/debuginfo
EOF
tried "$tmp/c.heap"
expect_same more tried

# The command that finds the package works even if /lib is a link.
library=$(LD_PRELOAD=libz.so.1 awk '/libz\.so/ { print $6; exit }' \
  /proc/self/maps)
sed "s,/[^ ]*/inlining\$,$library," "$dumps/inlining.gcc-O2.heap" >"$tmp/z.heap"
info --force "$tmp/z.heap"
if ! grep -q "^  debug info  .*DWARF.*libz" "$tmp/facts"; then
  command=$(sed -n "s/^ *\(dpkg -S '.*libz.*'\)\$/\1/p" "$tmp/facts")
  expect_equal "$command" zlib1g "$(bash -c "$command" | sed 's/:.*//')"
fi

# A service's endpoint that counts bytes only has no number of objects.
python3 "$(dirname "$0")/pprof_layout.py" D "$dumps/inlining.gcc-O2.heap" \
  "$tmp/service.pb.gz"
info "$tmp/service.pb.gz"
expect_match facts '^  live              [1-9]'
expect_no_match facts 'object'

# A debug file that belongs to none of the dump's modules.
run "$bin/gcc-O2-debuglink/inlining.debug" "$dumps/growth.first.heap"
expect_status 0
expect_match err 'warning: .*/inlining\.debug: not the debug file of any module; '\
"its build id is $id\$"

run info "$dumps/growth.first.heap" "$dumps/growth.again.heap"
expect_status 2
expect_match err 'info takes one dump, found 2'
