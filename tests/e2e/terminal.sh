#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# On a terminal, the report is cut to its size and coloured, and a long run shows
# its progress. A pipe gets the plain report.
. "$(dirname "$0")/common.inc"

readonly escape=$'\x1b'

dump=$E2E/sampled/quickstart.gcc-O2.heap
# More and longer rows than a terminal shows.
report="$HEAPPROF --quiet --addresses $dump"
$report >"$tmp/plain"
rows=$(wc -l <"$tmp/plain")
[[ $rows -gt 31 ]] || fail "rows of the report" "more than 31" "$rows"

on_terminal 70 "$report"
expect_status 0
expect_match colored "$escape\[1;31m"
# The report without its colours, with shorter names.
cp "$tmp/out" "$tmp/seen"
expect_equal "rows on a terminal" 32 "$(wc -l <"$tmp/seen")"
# The names of the columns come after the total.
expect_equal "the second line" "    self  share    sum  with callees   function" \
  "$(sed -n 2p "$tmp/seen")"
sed -i 2d "$tmp/seen"
# The total has an error bar on a terminal, and is in MB elsewhere.
expect_match seen '^Total: [0-9.]+ ± [0-9.]+ MiB$'
sed -i 1d "$tmp/seen"
sed -n '2,31p' "$tmp/plain" >"$tmp/rows"
LC_ALL=C.UTF-8 awk -v columns=70 '
  { numbers = "^ *[^ ]+ +[^ ]+% +[^ ]+% +[^ ]+ +[^ ]+% " }
  NR == FNR { seen[NR] = $0; next }
  {
    shown = seen[FNR]
    match($0, numbers)
    name = substr($0, RLENGTH + 1)
    end = substr(shown, length(shown) - 5)
    if (substr(shown, 1, RLENGTH) != substr($0, 1, RLENGTH)) print "numbers: " shown
    if (length($0) <= columns ? shown != $0 : shown !~ /…/) print "name: " shown
    if (length(shown) > columns) print "wide: " shown
    if (substr($0, length($0) - 5) != end) print "end: " shown
    shown = substr(shown, RLENGTH + 1)
    if (shown in names && names[shown] != name) print "alike: " shown
    names[shown] = name
  }' "$tmp/seen" "$tmp/rows" >"$tmp/wrong"
expect_empty wrong
grep -q '…' "$tmp/seen" || fail "a cut row" "one" "none"

# As many rows as fit: the first one, which matters most, stays in sight.
on_terminal "80 rows 24" "$report"
expect_equal "lines on a terminal of 24" 20 "$(wc -l <"$tmp/out")"
on_terminal "80 rows 40" "$report"
expect_equal "lines on a terminal of 40" 36 "$(wc -l <"$tmp/out")"

# The largest threads fit on the screen, in MiB; long places lose folders.
on_terminal "80 rows 24" "$HEAPPROF --color=never --thread='*' $dump"
expect_status 0
expect_match out '^Total \(t[0-9]+.*\): [0-9.]+( ± [0-9.]+)? [KM]iB$'
[[ $(wc -l <"$tmp/out") -le 22 ]] ||
  fail "lines of --thread='*'" "22 at most" "$(wc -l <"$tmp/out")"
on_terminal "80 rows 24" "$HEAPPROF --color=never --lines --cum $dump"
expect_match out ' …/[^ ]+:[0-9]+$'
expect_no_match out '% [^%]*[^0-9]$'

# Annotated code has the unit that suits its function; a pipe gets jeprof's.
for option in --list --disasm; do
  on_terminal "80 rows 24" "$HEAPPROF --quiet $option=::RenderBody $dump"
  expect_match out '^ *[0-9.]+ +[0-9.]+ (Total )?MiB \(self / with callees\)'
  on_terminal "80 rows 24" "$HEAPPROF --quiet $option=::LoadRoutes $dump"
  expect_match out '^ *[0-9.]+ +[0-9.]+ (Total )?[KM]iB \(self / with callees\)'
  run "$option=::RenderBody" "$dump"
  expect_match out '^ *[0-9.]+ +[0-9.]+ (Total )?MB \(flat'
done

# Other tables fit the terminal, too.
for other in --tree --traces --threads; do
  on_terminal 90 "$HEAPPROF --quiet --names=full $other $dump"
  expect_status 0
  longest=$(LC_ALL=C.UTF-8 wc -L <"$tmp/out")
  expect_equal "longest line of $other" 90 "$longest"
  expect_match out '…'
done

# The first line is about the rows on the screen.
on_terminal "200 rows 24" "$HEAPPROF --color=never --tree $dump"
rows=$(sed -n 's/^Showing top \([0-9]*\) nodes .*/\1/p' "$tmp/out")
expect_equal "the sum of the rows on a terminal" \
  "$("$HEAPPROF" --quiet --tree --top "$rows" "$dump" | head -1)" \
  "$(head -1 "$tmp/out")"

# Of what has more lines than the screen, the first ones.
for other in --tree --peek=. --peek=malloc; do
  on_terminal "80 rows 24" "$HEAPPROF --quiet --color=never $other $dump"
  [[ $(wc -l <"$tmp/out") -le 23 && $(LC_ALL=C.UTF-8 wc -L <"$tmp/out") -le 80 ]] ||
    fail "size of $other" "80 x 23" "$(cat "$tmp/out")"
done

on_terminal 70 "$HEAPPROF --addresses $dump"
expect_match out "[0-9]+ more rows; --top 0 shows all"
# Of all functions, only one matches.
on_terminal 200 "$HEAPPROF --addresses --peek='main .*quickstart' $dump"
expect_match out '%  +\| [0-9a-f]{16} main .*quickstart'
expect_no_match out 'more rows'
on_terminal 70 "$HEAPPROF --addresses --tree $dump"
expect_match out "[0-9]+ more rows; --top 0 shows all"
on_terminal 70 "$HEAPPROF --proto $dump"
expect_status 2
expect_match out 'error: --proto is binary: name a file with -o, or pipe it'

# In a narrow terminal, columns are left out for the names.
on_terminal 40 "$report"
expect_equal "the columns on 40 columns" "    self      cum function" \
  "$(sed -n 2p "$tmp/out")"
expect_match out '^ +[0-9.]+ +[0-9.]+ [^ ]{7}…[^ ]+:[0-9]+'
# A wide one shows the mean sizes of objects, too.
on_terminal 100 "$HEAPPROF --quiet --text $dump"
expect_match out 'with callees    mean size function$'
expect_match out ' [0-9.]+ KiB std::__cxx11::basic_string::_M_mutate'

for option in "--color never" ""; do
  for setting in NO_COLOR=1 TERM=dumb TERM=; do
    [[ -n $option ]] && setting=TERM=xterm
    on_terminal 1000 "env $setting $report --top 0 $option"
    # Without the mean sizes, which a pipe does not get.
    sed -i '1,2d; s/^\(.\{39\}\).\{11\}/\1/' "$tmp/colored"
    sed 1d "$tmp/plain" >"$tmp/rows"
    expect_same colored rows
  done
done

run --quiet --addresses --color always "$dump"
expect_match out "$escape\[1;31m"
sed "s/$escape\[[0-9;]*m//g" "$tmp/out" >"$tmp/seen"
expect_same seen plain
run --quiet --addresses --color always -o "$tmp/file" "$dump"
expect_same file plain
run --color sometimes "$dump"
expect_status 2
expect_match err "--color: expected auto, always or never, found 'sometimes'"

# A slow dump: the rest of it is sent once progress is shown.
mkfifo "$tmp/pipe"
: >"$tmp/raw"
(
  for ((i = 0; i < 400; ++i)); do
    grep -q 'reading the profile' "$tmp/raw" && break
    sleep 0.05
  done
  cat "$dump"
) >"$tmp/pipe" &
on_terminal 80 "$HEAPPROF --text -o $tmp/file $tmp/pipe"
wait
expect_status 0
expect_match raw "heapprof: reading the profile \([1-9][0-9]* s\)"
expect_match raw "$escape\[K\$|$escape\[Kheapprof: "

(
  sleep 1.3
  cat "$dump"
) >"$tmp/pipe" &
on_terminal 80 "$HEAPPROF --quiet --text -o $tmp/file $tmp/pipe"
wait
expect_status 0
expect_empty out

# A run of less than a second; on a busy machine none may be.
for ((i = 0; i < 20; ++i)); do
  start=$(date +%s%N)
  on_terminal 80 "$HEAPPROF --text -o $tmp/file $dump"
  end=$(date +%s%N)
  [[ $((end - start)) -ge 900000000 ]] || break
done
[[ $((end - start)) -ge 900000000 ]] || expect_no_match raw "$escape"
