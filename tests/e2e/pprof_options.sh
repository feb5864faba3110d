#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the options of --proto change, and that they change no sum.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

readonly dump=$dumps/threads.gcc-O2.heap
readonly sampled=$E2E/sampled/quickstart.gcc-O2.heap

# sample_count NAME
sample_count() {
  pprof -raw "$tmp/$1.pb.gz"
  sed -n '/^Samples:$/,/^Locations$/p' "$tmp/out" | grep -c ': [0-9 ]*$'
}

# rows NAME: pprof's table, without the line about samples in the heading.
rows() {
  top "$1.pb.gz" -cum
  sort "$tmp/out"
}

# A file named *.pb is not compressed; any other one is, with any number of jobs.
write plain "$dump"
run --proto -o "$tmp/plain.pb" "$dump"
expect_status 0
gunzip -c "$tmp/plain.pb.gz" >"$tmp/inflated"
expect_same inflated plain.pb
run -o "$tmp/named.pb" -o "$tmp/named.pb.gz" "$dump"
expect_same named.pb plain.pb
expect_same named.pb.gz plain.pb.gz
run --proto -o - "$dump"
expect_same out plain.pb.gz
run --proto -o "$tmp/other" "$dump"
expect_same other plain.pb.gz
rows plain >"$tmp/plain.rows"

# The comments say what made the file, and from what.
write difference --base "$dumps/growth.first.heap" "$dumps/growth.grown.heap"
pprof -comments "$tmp/difference.pb.gz"
{
  "$HEAPPROF" --version | head -n 1
  echo "input: $dumps/growth.grown.heap"
  echo "base: $dumps/growth.first.heap"
} >"$tmp/expected"
sed '/^names: [0-9.]*% of bytes$/d' "$tmp/out" >"$tmp/found"
expect_same expected found
expect_match out '^names: '
name=$'new\nline \e[31m.heap'
cp "$dump" "$tmp/$name"
write odd "$tmp/$name"
pprof -comments "$tmp/odd.pb.gz"
expect_match out '^input: .*/new\?line \?\[31m\.heap$'

# Threads are labels, not frames: each has what --threads says.
write threads --thread-labels "$dump"
pprof -tags -unit=B "$tmp/threads.pb.gz"
sed -nE 's/^ *([0-9]+)\.0B \([^)]*\): (.*)$/\1 \2/p' "$tmp/out" | sort \
  >"$tmp/labels"
run --threads --show_bytes "$dump"
awk 'NR > 1 {
    value = $2; print value, $1
    for (i = 1; i <= 6; ++i) sub(/^ *[^ ]+/, "")
    sub(/^ /, ""); sub(/ +[^ ]+$/, ""); print value, $0
  }' "$tmp/out" | sort >"$tmp/expected"
expect_same expected labels
rows threads >"$tmp/threads.rows"
expect_same plain.rows threads.rows
write both --thread-labels --thread='*' "$dump"
expect_same both.pb.gz threads.pb.gz

# heapprof reads them back.
for options in --threads '--threads --alloc_space' '--thread=1 --text' --text; do
  for input in "$dump" "$tmp/threads.pb.gz"; do
    # shellcheck disable=SC2086
    run $options --show_bytes "$input"
    expect_status 0
    mv "$tmp/out" "$tmp/read${input##*.}"
  done
  expect_same readheap readgz
done

# A sampled dump: each thread's line is scaled apart, but the sum stays.
write sampled "$sampled"
rows sampled >"$tmp/sampled.rows"
write split --thread-labels "$sampled"
text "$sampled"
all=$(total)
top split.pb.gz
expect_equal "sum of all threads" "$all" "$(flat_sum)"
write grown --thread-labels --base "$dumps/growth.first.heap" \
  "$dumps/growth.grown.heap"
pprof -raw "$tmp/grown.pb.gz"
expect_match out 'pprof::base:\[true\] thread:\[growth\] thread_uid:\[0\]'
text "$tmp/grown.pb.gz"
cp "$tmp/out" "$tmp/read"
text --base "$dumps/growth.first.heap" "$dumps/growth.grown.heap"
expect_same read out
run --text --base "$tmp/threads.pb.gz" "$tmp/threads.pb.gz"
expect_match err 'no difference to the base'
run --proto --thread-labels -o "$tmp/none.pb.gz" "$tmp/plain.pb.gz"
expect_match err 'the dump has no data by thread'

# Only some sample types. What services write has only one type, and the pprof
# of Go's toolchain subtracts only profiles with the same types.
write bytes --pprof-types=inuse_space "$dump"
pprof -raw "$tmp/bytes.pb.gz"
expect_match out '^inuse_space/bytes\[dflt\]$'
rows bytes >"$tmp/bytes.rows"
expect_same plain.rows bytes.rows
write two --pprof-types=inuse_space,alloc_objects --alloc_objects "$dump"
pprof -raw "$tmp/two.pb.gz"
expect_match out '^alloc_objects/count\[dflt\] inuse_space/bytes$'
python3 "$E2E_SOURCES/pprof_layout.py" D "$dump" "$tmp/service.pb.gz"
pprof_command=(go tool pprof)
pprof -top -unit=B -diff_base="$tmp/service.pb.gz" "$tmp/bytes.pb.gz"
expect_match out '^Showing nodes accounting for 0'
pprof_command=("$PPROF")
run --proto --pprof-types=alloc_space -o "$tmp/x.pb.gz" "$tmp/service.pb.gz"
expect_status 1
expect_match err 'error: .*the dump has no accumulated counters'
run --proto --pprof-types=inuse_objects -o "$tmp/x.pb.gz" "$tmp/service.pb.gz"
expect_status 1
expect_match err 'error: .*the profile has no object counts'

# The mean size of objects, by which pprof can choose samples.
write sizes --size-labels "$dumps/inlining.gcc-O2.heap"
top sizes.pb.gz -tagfocus=60kb:
expect_match out '^ +131072B .* demo::Pool<demo::Big>::Grow\(int\)'
whole=$(flat_sum)
top sizes.pb.gz -tagignore=60kb:
small=$(flat_sum)
expect_match out "demo::Inner"
text "$dumps/inlining.gcc-O2.heap"
expect_equal "sum of small and large objects" "$(total)" $((whole + small))

# Few samples, the same sums: the largest stacks stay whole.
readonly warehouse=$dumps/warehouse.gcc-O2-static.heap
write all "$warehouse"
top all.pb.gz
all=$(flat_sum)
for limit in 1 5 50 100000; do
  write few --max-samples=$limit "$warehouse"
  count=$(sample_count few)
  ((count <= limit)) || fail "samples" "at most $limit" "$count"
  top few.pb.gz
  expect_equal "sum of $limit samples" "$all" "$(flat_sum)"
  case $limit in
    100000)
      cmp "$tmp/few.pb.gz" "$tmp/all.pb.gz"
      ;;
    *)
      expect_match out ' \[small stacks\]$'
      run --proto --max-samples=$limit -o "$tmp/few.pb.gz" "$warehouse"
      expect_match err \
        "^heapprof: --max-samples=$limit: \[small stacks\] replaces the leaf ends of [0-9]+ samples? with "
      ;;
  esac
done
expect_equal "samples without limit" "$(sample_count all)" "$count"
write few --max-samples=50 "$warehouse"
expect_equal "samples" 50 "$(sample_count few)"
write few --max-samples=1 --base "$dumps/growth.first.heap" \
  "$dumps/growth.grown.heap"
expect_equal "samples of two sides" 2 "$(sample_count few)"

for option in --pprof-types=inuse_space --thread-labels --size-labels \
  --max-samples=5; do
  name=${option%%=*}
  expect_usage_error "error: $name works only with --proto" --text "$option" \
    "$dump"
  expect_usage_error "error: $name works only with --proto" "$option" \
    -o "$tmp/x.svg" "$dump"
  expect_usage_error "error: $name does not work with 'heapprof check'" \
    check "$option" --base "$dump" "$dump"
  run "$option" -o "$tmp/x.pb" -o "$tmp/x.txt" "$dump"
  expect_status 0
done
expect_usage_error \
  'error: --pprof-types: expected some of inuse_objects,.*, found .bytes.' \
  --proto --pprof-types=inuse_space,bytes "$dump"
expect_usage_error 'error: --pprof-types lacks the chosen metric' --proto \
  --alloc_space --pprof-types=inuse_space "$dump"
expect_usage_error 'error: --max-samples: expected 0 or more, found -1' \
  --proto --max-samples=-1 "$dump"
