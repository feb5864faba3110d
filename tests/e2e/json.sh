#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --json: every document obeys the schema and has the numbers of --text, and the
# examples of the manual work as printed.
. "$(dirname "$0")/common.inc"

check=$(dirname "$0")/check_json.py
readonly exact=$dumps/inlining.gcc-O2.heap
readonly sampled=$E2E/sampled/quickstart.gcc-O2.heap
readonly threads=$dumps/threads.gcc-O2.heap

# The documents are checked at the end by few processes, because Python takes
# long to load the schema.
mkdir "$tmp/valid" "$tmp/rows" "$tmp/invalid"
documents=0

# valid: $tmp/out obeys the schema.
valid() {
  expect_status 0
  cp "$tmp/out" "$tmp/valid/$((++documents)).json"
  echo "$command_line" >"$tmp/valid/$documents.command"
}

# same_numbers OPTION... DUMP: --json and --text have the same rows.
same_numbers() {
  run --json "$@"
  valid
  ln "$tmp/valid/$documents.json" "$tmp/valid/$documents.command" "$tmp/rows"
  run --text --show_bytes "$@"
  expect_status 0
  cp "$tmp/out" "$tmp/rows/$documents.text"
}

# check_documents EXPECTED CHECK ARGUMENT...: checks what is in $tmp/CHECK.
check_documents() {
  local expected=$1
  shift
  python3 "$check" "$@" "$tmp/$1"/*.json >"$tmp/out" ||
    fail "documents" "$expected" "see above"
}

same_numbers "$exact"
same_numbers "$sampled"
for option in --lines --files --addresses --modules --cum --inuse_objects \
  --alloc_space --top=3 --own=auto --hide=@std --focus=demo --names=full \
  --thread=1; do
  same_numbers "$option" "$sampled"
done
same_numbers --thread='wrk 1' "$threads"
same_numbers --base "$dumps/growth.first.heap" "$dumps/growth.grown.heap"
same_numbers --base "$dumps/growth.grown.heap" "$dumps/growth.first.heap"
same_numbers --base "$E2E/sampled/quickstart.clang-O2.heap" "$sampled"
same_numbers --drop_negative --focus=main --cum \
  --base "$E2E/sampled/quickstart.clang-O2.heap" "$sampled"
same_numbers "$GOLDEN/../corpus/parse_profile/flat.heap"
for command in "" --base="$sampled"; do
  for dump in "$exact" "$threads" "$sampled"; do
    [[ -n $command && $dump == "$exact" ]] && continue
    run --json ${command:+"$command"} --thread='*' "$dump"
    valid
  done
done
for dump in "$exact" "$sampled" "$dumps/inlining.gcc-O2-stripped.heap"; do
  run info --json "$dump"
  valid
done

# What the numbers stand for.
query() {
  jq -r "$1" "$tmp/out"
}
run -o "$tmp/a.json" -o "$tmp/a.txt" --show_bytes "$sampled"
expect_status 0
cp "$tmp/a.json" "$tmp/out"
expect_equal "Total" "$(sed -n '1s/Total: \([0-9]*\) B/\1/p' "$tmp/a.txt")" \
  "$(query .totals.inuse_space.value)"
expect_equal "period" 4096 "$(query '.inputs[0].sampling_period')"
build_id=$(readelf -n "$bin/gcc-O2/quickstart" | sed -n 's/.*Build ID: //p')
expect_equal "build id" "$build_id" "$(query '.inputs[0].build_id')"
expect_equal "bounds" true "$(query '.totals.inuse_space | .is_exact == false
  and .interval.lower < .value and .value < .interval.upper and .samples > 9')"
# Samples are the objects that the dump counts, in every output.
sampled_objects=$(awk '/^@/ { records = 1 } records && $1 == "t*:" { n += $2 }
  END { print n }' "$sampled")
expect_equal "samples" "$sampled_objects" "$(query .totals.inuse_space.samples)"
expect_equal "samples of all" "$sampled_objects" \
  "$(query '[.rows[] | .flat.samples] | add')"
run --flamegraph "$sampled"
expect_match out "100%, $sampled_objects samples"
run --threads "$sampled"
expect_equal "samples of threads" "$(awk '/^@/ { records = 1 }
  records && /^  t[0-9]/ { n += $2 } END { print n }' "$sampled")" \
  "$(awk 'NR > 1 { n += $8 } END { print n }' "$tmp/out")"
cp "$tmp/a.json" "$tmp/out"
expect_equal "bounds of objects" null \
  "$(query .totals.inuse_objects.interval)"
expect_equal "threads" true "$(query '.threads | length > 1')"
run --json "$exact"
expect_equal "exact" "true null null" "$(
  query '"\(.is_exact) \(.shown.interval) \(.shown.samples)"')"
expect_equal "place of a function" "inlining.cc true demo::Inner" "$(
  query '.rows[] | select(.name == "demo::Inner (inline)")
    | "\(.file | split("/") | last) \(.line > 1) \(.function | split("(")[0])"'
)"
run --json --thread='*' "$threads"
expect_equal "rows of a thread" "65536 demo::HoldInThread" "$(
  query '.threads[] | select(.name == "plain")
    | "\(.held.value) \(.rows[0].name)"'
)"
run --json --base "$dumps/growth.first.heap" "$dumps/growth.grown.heap"
expect_equal "sides" "new base" "$(query '[.inputs[].side] | join(" ")')"
expect_equal "growth" 4194304 "$(query .totals.inuse_space.change.value)"
sed -n '1p;/^MAPPED/,$p' "$sampled" >"$tmp/empty.heap"
for sides in "$tmp/empty.heap $sampled" "$sampled $tmp/empty.heap"; do
  # shellcheck disable=SC2086
  run --json --base $sides
  valid
  expect_equal "an empty side" true "$(query '.is_difference
    and ([.shown.before, .shown.after] | any(.value == 0 and .interval.upper > 0))')"
done
run --json --focus='demo::Inner' "$exact"
expect_equal "filter" "--focus=demo::Inner true" "$(
  query '.filters[0] | "\(.filter) \(.removed_stacks > 0)"'
)"
expect_equal "shown" "$(query '.totals.inuse_space.value - .shown.value')" \
  "$(query '.filters[0].removed_value')"

# The other tables, as in their texts.
for table in --tree --peek=demo --traces; do
  for dump in "$exact" "$sampled"; do
    run "$table" --show_bytes "$dump"
    expect_status 0
    cp "$tmp/out" "$tmp/table"
    run --json "$table" "$dump"
    valid
    if [[ $table == --traces ]]; then
      query '.frames as $f | .traces[] | (.value | tostring) + " B",
        (.frames[] | $f[.].name)' >"$tmp/from_json"
      # A value stands before the leaf of its stack.
      sed -n 's/^ *\([0-9-]* B\) *\(.*\)/\1\n\2/p; t; /^---/d; s/^ *//p' \
        "$tmp/table" >"$tmp/from_text"
    else
      query '.tree[] | (.callers[] | "\(.value) \(.name)"),
        "\(.flat) \(.cumulative) \(.name)",
        (.callees[] | "\(.value) \(.name)")' >"$tmp/from_json"
      sed -n 's/ B / /g
        s/^ *\([0-9-]*\) *[0-9.-]*% *[0-9.-]*% *\([0-9-]*\) *[0-9.-]*% *| \(.*\)/\1 \2 \3/p
        s/^ *\([0-9-]*\) *[0-9.-]*% |   \(.*\)/\1 \2/p' \
        "$tmp/table" >"$tmp/from_text"
    fi
    expect_equal "rows" true "$([[ $(wc -l <"$tmp/from_text") -gt 3 ]] && echo true)"
    expect_same from_text from_json
  done
done
# call_tree OPTION=FUNCTION: --json has the tree of the table. All that FUNCTION
# holds is from its callers or in its callees.
call_tree() {
  local direction=${1%%=*} held
  run "$1" --show_bytes "$exact"
  held=$(sed -n '1s/.*: \([0-9]*\) B (.*/\1/p' "$tmp/out")
  run --json "$1" "$exact"
  valid
  for depth in 0 1; do
    expect_equal "$1, depth $depth" "$held" "$(query "[.${direction#--}[]
      | select(.depth == $depth) | .value] | add")"
  done
}
call_tree --callers=demo::Inner
call_tree --callees='^main$'
run --traces -o "$tmp/stacks.txt" -o "$tmp/stacks.json" "$exact"
expect_status 0
expect_equal "stacks" "$(grep -c '^---.*' "$tmp/stacks.txt")" \
  "$(jq '.traces | length + 1' "$tmp/stacks.json")"
expect_usage_error 'more than one output' --json --tree --traces "$exact"
expect_usage_error 'more than one output' --json --collapsed "$exact"

# Hostile names: any bytes, control characters, mark-up.
printf '\xff\xfe\x1b[2J<script>"' >"$tmp/name"
sed "s,\] wrk 1\$,] $(cat "$tmp/name")," "$threads" >"$tmp/hostile.heap"
run --json "$tmp/hostile.heap"
valid
expect_equal "bytes of a name" "$(od -An -v -tx1 "$tmp/name" | tr -d " \n")" \
  "$(query '.threads[] | select(.name_bytes) | .name_bytes' | head -n 1)"
expect_no_match out '[^ -~]'

# A document that is damaged in any way is refused.
run --json "$sampled"
cp "$tmp/out" "$tmp/good"
for damage in 'del(.unit)' '.extra = 1' '.rows[0].flat.value = 1.5' \
  '.schema = "other"' '.schema_version = 1' '.rows[0].flat.interval = {}' \
  '.inputs = []' '.metric = "bytes"' '.modules[0].share = 2' \
  '.rows[0].flat = {before: .shown, after: .shown}' '.rows[0].name_bytes = "x"' \
  '.is_difference = true' '.threads[0].rows = [{}]' '.modules[0].status = ""'; do
  documents=$((documents + 1))
  jq "$damage" "$tmp/good" >"$tmp/invalid/$documents.json"
  echo "$damage" >"$tmp/invalid/$documents.command"
done
check_documents "valid documents" valid "$SCHEMA"
check_documents "invalid documents" invalid "$SCHEMA"
check_documents "the rows of --json in --text" rows

# The examples of the manual.
run help json
sed -n '/^  heapprof --json/,/^$/p' "$tmp/out" >"$tmp/examples"
expect_equal "examples" 4 "$(grep -c '^  heapprof' "$tmp/examples")"
# example NUMBER OLD NEW: runs it, as it is printed.
mkdir "$tmp/bin"
ln -s "$HEAPPROF" "$tmp/bin/heapprof"
PATH=$tmp/bin:$PATH
example() {
  awk -v RS= -v number="$1" 'NR == number' "$tmp/examples" >"$tmp/example"
  command_line=$(cat "$tmp/example")
  ln -sf "$sampled" "$tmp/DUMP"
  ln -sf "${2-none}" "$tmp/OLD"
  ln -sf "${3-none}" "$tmp/NEW"
  (cd "$tmp" && bash -euo pipefail "$tmp/example") >"$tmp/out" 2>"$tmp/err" ||
    fail "example $1" "status 0" "$(cat "$tmp/err")"
}
example 1
expect_equal "rows of example 1" 5 "$(wc -l <"$tmp/out")"
expect_match out "^[1-9][0-9]*	start_thread$"
example 2
expect_match out '^\[[1-9][0-9]*,[1-9][0-9]*,[1-9][0-9]*\]$'
example 3 "$dumps/growth.first.heap" "$dumps/growth.grown.heap"
expect_equal "example 3" "4194304	demo::Grow" "$(cat "$tmp/out")"
example 3 "$sampled" "$sampled"
expect_empty out
example 4
expect_equal "rows of example 4" \
  "$("$HEAPPROF" --json --traces "$sampled" | jq '[(.traces | length), 10] | min')" \
  "$(wc -l <"$tmp/out")"
expect_match out "^[1-9][0-9]*	.*main;"
