#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Verdicts, exit status and formats of `heapprof check` on real dumps.
. "$(dirname "$0")/common.inc"

readonly first=$dumps/growth.first.heap again=$dumps/growth.again.heap
readonly grown=$dumps/growth.grown.heap

# check STATUS ARGUMENT...
check() {
  local expected=$1
  shift
  run check "$@"
  expect_status "$expected"
}

check 0 --max-growth=0 --max-total-growth=0 --base "$first" "$again"
expect_match out '^ok: nothing over its limit$'
check 1 --max-growth='10% + 1MiB' --base "$first" "$grown"
expect_match out '^regression: 1 function over the limit$'
expect_match out '\+4\.0 MiB .* regression  demo::Grow$'
expect_match out '^  \+4\.0 MiB  demo::Grow, growth\.cc:15$'
expect_match out '^ +max-growth, via main$'
# Just within: 3 MiB may become 7 MiB.
check 0 --max-growth=4MiB --base "$first" "$grown"
# Across two builds.
check 1 --max-growth=1MiB --base "$dumps/growth.old-build.heap" "$grown"
expect_match out 'demo::Grow'

# Several runs on a side, the binary, and a base named like a command.
check 0 --max-growth=0 "$bin/gcc-O2/growth" --base "$first" "$again" \
  --new "$dumps/growth.third.heap" "$first"
expect_match out 'growth.first.heap and 1 more'
# A copy of the wrong dump passes whatever happens.
check 0 --max-growth=0 --base "$first" --base "$first" --new "$first"
expect_match err 'growth.first.heap is on both sides \(and 1 more of this kind\)$'
sed '1s/.*/heap_v2\/4096/' "$first" >"$tmp/sampled.heap"
cp "$tmp/sampled.heap" "$tmp/copied.heap"
check 0 --max-growth=0 --base "$tmp/sampled.heap" --new "$tmp/copied.heap"
expect_match err '^heapprof: warning: both sides have the same samples, as if one were a copy of the other$'
check 0 --max-growth=0 --base "$first" --new "$again"
expect_empty err
check 0 --max-total=1GiB "$first"
check 1 --max-total=1MiB "$first"
check 0 --max-total=1MiB --fail-on=never "$first"
for by in file module stack thread; do
  check 1 --by=$by --max-growth=0 --base "$first" "$grown"
done

# Usage errors.
mkdir "$tmp/main" "$tmp/branch"
for run in 1 2; do
  cp "$first" "$tmp/main/run$run.heap"
  cp "$grown" "$tmp/branch/run$run.heap"
done
expect_usage_error "3 dumps besides that of --base; .*: heapprof check --base $tmp/main/run1.heap $tmp/main/run2.heap --new $tmp/branch/run1.heap $tmp/branch/run2.heap$" \
  check --max-growth=0 --base "$tmp"/main/*.heap "$tmp"/branch/*.heap
expect_usage_error "2 dumps besides those of --base; .*: heapprof check --base $tmp/main/run1.heap $tmp/main/run2.heap --new $tmp/branch/run1.heap $tmp/branch/run2.heap$" \
  check --max-growth=0 --base "$tmp/main/run1.heap" --base "$tmp/main/run2.heap" \
  "$tmp"/branch/*.heap
expect_usage_error '2 dumps .*: heapprof check --base OLD... --new NEW...$' \
  check --max-growth=0 --base "$first" "$again" "$grown"
check 1 --max-growth=0 --base "$first" "$grown" "$bin/gcc-O2/growth"
# Neither a folder nor a binary is a side.
expect_usage_error "error: --new $tmp/main: a folder, not a dump; name the dumps in it, as --new $tmp/main/\*.heap; a folder with binaries comes before --new" \
  check --max-growth=0 --base "$first" --new "$tmp/main"
expect_usage_error "error: --new $bin/gcc-O2/growth: an ELF file, not a dump" \
  check --max-growth=0 --base "$first" --new "$bin/gcc-O2/growth" "$grown"
expect_usage_error "error: --base $bin/gcc-O2/growth: an ELF file, not a dump" \
  check --max-growth=0 --base "$bin/gcc-O2/growth" --new "$grown"
expect_usage_error "error: --base $tmp/main: a folder, not a dump" \
  --base "$tmp/main" "$grown"
expect_usage_error 'no limit' check --base "$first" "$grown"
expect_usage_error 'need a --base' check --max-growth=0 "$first"
expect_usage_error "--max-growth: expected a limit .* found '5x'" \
  check --max-growth=5x --base "$first" "$grown"
for option in max-growth max-total-growth; do
  expect_usage_error "--$option: 10 has no unit; expected 10%, 10MiB or 10B" \
    check --$option=10 --base "$first" "$grown"
done
for option in max-total max-new; do
  expect_usage_error "--$option: 10 has no unit; expected 10MiB or 10B" \
    check --$option=10 --base "$first" "$grown"
done
check 1 --inuse_objects --noise=point --max-growth=1 --base "$first" "$grown"
expect_usage_error "--svg does not work with 'heapprof check'" \
  check --max-growth=0 --svg --base "$first" "$grown"
expect_usage_error "--max-growth works only with 'heapprof check'" \
  --max-growth=0 --base "$first" "$grown"
expect_usage_error 'no error bars' \
  check --inuse_objects --max-growth=0 --base "$first" "$grown"
expect_usage_error 'has no unit' check --inuse_objects --noise=point \
  --max-growth=1MiB --base "$first" "$grown"

# Failures, on either side, that must look like no verdict.
readonly limit=--max-growth=0
head -c 60 "$first" >"$tmp/head.heap"
head -c $(($(stat -c %s "$first") - 100)) "$first" >"$tmp/cut.heap"
printf 'heap_v2/512\n  t*: 0: 0 [0: 0]\n\nMAPPED_LIBRARIES:\n' >"$tmp/zero.heap"
: >"$tmp/empty.heap"
run --proto -o "$tmp/named.pb.gz" "$first"
expect_status 0
for file in missing head.heap cut.heap zero.heap empty.heap; do
  check 3 $limit --base "$tmp/$file" "$grown"
  expect_empty out
  check 3 $limit --base "$first" "$tmp/$file"
  expect_match err 'error: '
done
check 3 $limit --base "$first" "$grown" -o "$tmp/none/report"
check 3 $limit --base "$first" "$grown" -o "$tmp/report" \
  --save-baseline "$tmp/none/base"
expect_match report '^not judged: .*none'
# What cannot be judged leaves no older report: each format says why.
for name in report.txt report.json report.md report.xml; do
  check 0 --max-total=1GiB "$first" -o "$tmp/$name"
  check 3 --max-total=1GiB "$tmp/empty.heap" -o "$tmp/$name"
  expect_match "$name" 'not judged'
  expect_match "$name" 'empty\.heap: '
done
check 3 --max-total=1GiB "$tmp/empty.heap" --format json
python3 - "$SCHEMA" "$tmp/out" "$tmp/report.json" <<'END' ||
import json, sys
import jsonschema
schema, *reports = (json.load(open(path)) for path in sys.argv[1:])
for report in reports:
    jsonschema.validate(report, schema)
    assert report["verdict"] == "not judged", report
    assert report["error"].endswith(reports[0]["error"]), report
END
  fail "JSON of an error" "as in the schema" "$(cat "$tmp/out")"
status=0
"$HEAPPROF" check --max-total=1GiB "$first" >/dev/full 2>"$tmp/err" || status=$?
expect_status 3
check 3 $limit --focus=nosuch --base "$first" "$grown"
head -c 3000 "$bin/gcc-O2/growth" >"$tmp/growth"
for binary in "$tmp/growth" /bin/true; do
  check 3 $limit "$binary" --base "$first" "$grown"
done
status=0
(ulimit -v 40000 && exec "$HEAPPROF" check $limit --base "$first" "$grown") \
  >"$tmp/out" 2>"$tmp/err" || status=$?
expect_status 3
# A crash: a signal that only a bug of ours can cause.
mkfifo "$tmp/fifo"
"$HEAPPROF" check $limit --base "$tmp/fifo" "$grown" 2>"$tmp/err" &
exec 3>"$tmp/fifo"
kill -SEGV $!
status=0
wait $! || status=$?
exec 3>&-
expect_status 3
expect_match err 'error: internal, while '
# Damage is accepted only when asked for.
check 1 $limit --accept-damaged --base "$tmp/cut.heap" "$grown"

# A binary that the memory map names, but that cannot be read.
sed "s,$bin/gcc-O2/growth,$tmp/growth," "$grown" >"$tmp/unreadable.heap"
check 3 $limit --base "$first" "$tmp/unreadable.heap"
expect_empty out
expect_match err "error: $tmp/growth: "
# A pipe that nobody reads any more, as after "| head -1", changes neither the
# status nor the files.
mkfifo "$tmp/closed"
exec 4<>"$tmp/closed"
exec 5>"$tmp/closed"
exec 4>&-
status=0
"$HEAPPROF" check $limit --base "$first" "$grown" -o "$tmp/piped.md" \
  --format github >&5 2>"$tmp/err" || status=$?
exec 5>&-
expect_status 1
expect_empty err
[[ -s $tmp/piped.md ]] || fail "the file" "a report" "none"

# A profile that does not say how often it was sampled: of a protobuf field, the
# last value counts, here 0 for Profile.period.
{
  gunzip -c "$tmp/named.pb.gz"
  printf '\x60\x00'
} >"$tmp/no_period.pb"
for sides in "--base $tmp/no_period.pb $grown" "--base $first $tmp/no_period.pb"; do
  # shellcheck disable=SC2086
  check 3 $limit $sides
  expect_empty out
  expect_match err 'error: .*no_period.pb: .* give --sample-period$'
done
check 0 $limit --sample-period=4096 --base "$tmp/no_period.pb" \
  "$tmp/no_period.pb"
expect_match out '^        3\.6 MiB live; one sample per 4 KiB$'

# On a terminal: coloured, and fitted to its width.
for columns in 80 130; do
  for dump in "$grown" "$E2E/sampled/quickstart.gcc-O2.heap"; do
    command="$HEAPPROF check $limit --explain --noise=point --allow-renamed"
    command+=" --base $first $dump 2>/dev/null"
    on_terminal "$columns" "cd $E2E; ${command//"$E2E"\//}"
    expect_status 1
    expect_match colored $'^\x1b\\[1;31mregression: '
    longest=$(LC_ALL=C.UTF-8 wc -L <"$tmp/out")
    [[ $longest -le $columns ]] ||
      fail "the longest line" "at most $columns" "$longest"
  done
done
check 1 $limit --base "$first" "$grown"
expect_no_match out $'\x1b'
check 1 $limit --color=always --base "$first" "$grown"
expect_match out $'^\x1b\\[1;31mregression: '

# The number of threads changes nothing.
for format in text json markdown github junit; do
  for jobs in 1 2; do
    check 1 $limit --explain --format=$format --jobs=$jobs --base "$first" \
      "$grown"
    cp "$tmp/out" "$tmp/jobs.$jobs"
  done
  expect_same jobs.1 jobs.2
done

# By default, one's own code is judged.
check 1 $limit --by=module --own=none --base "$first" "$grown"
for own in '' --own=auto; do
  check 1 $limit --format=json $own --base "$first" "$grown"
  cp "$tmp/out" "$tmp/own.$own"
done
expect_same own. own.--own=auto

# Names.
check 0 --max-total=1GiB --require-symbols=90 "$first"
check 4 --max-total=1GiB --require-symbols=90 \
  "$dumps/inlining.gcc-O2-stripped.heap"
expect_match err 'error: only .* of the new side has names'
# Without its binary, every function of the new side would look new.
sed 's,/[^ ]*/growth$,/gone/growth,' "$again" >"$tmp/nameless.heap"
check 4 --max-growth=1MiB --base "$first" "$tmp/nameless.heap"
expect_match err 'error: only .* of the new side has names, so functions cannot'
check 4 --max-growth=1MiB --base "$tmp/nameless.heap" "$again"
expect_match err 'error: only .* of the base has names'
check 0 --max-growth=1MiB --require-symbols=0 --base "$first" \
  "$tmp/nameless.heap"
expect_match err 'no names.*: growth was not found.*; see heapprof info$'
check 0 --max-total-growth=1MiB --base "$first" "$tmp/nameless.heap"
check 0 --max-growth=1MiB --by=module --base "$tmp/nameless.heap" \
  "$tmp/nameless.heap"

# Formats.
readonly python=/usr/bin/python3
check_json=$(dirname "$0")/check_json.py
readonly check_json
for new in "$again" "$grown"; do
  run check $limit --max-total=1GiB --explain --format=json --base "$first" \
    "$new"
  python3 "$check_json" valid "$SCHEMA" "$tmp/out" >"$tmp/problems" ||
    fail "$command_line" "a valid document" "$(head -n 5 "$tmp/problems")"
  run check $limit --max-total=1GiB --format=junit --base "$first" "$new"
  "$python" -c 'import junitparser, sys
suite, = junitparser.JUnitXml.fromfile(sys.argv[1])
failed = sum(1 for case in suite for result in case.result
             if isinstance(result, junitparser.Failure))
assert suite.tests == len(list(suite)) and suite.failures == failed
assert failed == int(sys.argv[2]), failed' "$tmp/out" "$status"
done
run check --max-total=1GiB --format=json "$first"
expect_equal "an absent base" "0 null" \
  "$(jq -r '"\(.base.runs) \(.total.change)"' "$tmp/out")"
python3 "$check_json" valid "$SCHEMA" "$tmp/out" ||
  fail "$command_line" "a valid document" "another"
damages=0
for damage in 'del(.by)' '.extra = 1' '.base.runs = -1' '.totals = [{}]' \
  '.schema = "heapprof.info"' '.schema_version = 2' '.verdict = "red"'; do
  damages=$((damages + 1))
  jq "$damage" "$tmp/out" >"$tmp/bad.$damages.json"
done
python3 "$check_json" invalid "$SCHEMA" "$tmp"/bad.*.json ||
  fail "damaged documents" "none is valid" "see above"
# All formats of one judgement.
check 1 $limit --base "$first" "$grown" -o "$tmp/r.md" --format junit \
  -o "$tmp/r" -o "$tmp/r.json" --format github
for output in markdown:r.md junit:r json:r.json github:out; do
  cp "$tmp/${output#*:}" "$tmp/written.${output%:*}"
done
for format in markdown junit json github; do
  check 1 $limit --format=$format --base "$first" "$grown"
  expect_same out written.$format
done
# Without a report on standard output, a message says why the check fails.
expect_empty err
check 1 $limit --base "$first" "$grown" -o "$tmp/r.md"
expect_empty out
expect_match err '^heapprof: regression: 1 function over the limit$'
check 0 $limit --base "$first" "$again" -o "$tmp/r.md"
expect_empty err
rm "$tmp/r.md"
check 3 $limit --base "$first" "$grown" -o "$tmp/r.md" -o "$tmp/none/r.json"
[[ ! -e $tmp/r.md ]] || fail "reports" "none" "one without the other"
check 1 $limit --format=github --base "$first" "$grown"
expect_match out '^::error file=.*growth\.cc,line=[0-9]+,title=Heap check.*::demo::Grow'
expect_match out '^### Heap check: regression$'
expect_match out '^\* \*\*\+4\.0 MiB\*\* <code>demo::Grow, growth\.cc:15</code>$'

# A crash cannot look like a finding, nor the help like a run.
check 0 --help
expect_match out '^  --max-growth LIMIT'
expect_no_match out '--svg|--collapsed'
run --help
expect_no_match out '--max-growth LIMIT'
