#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --groups: each stack is in one group, in every output.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/shared_main.gcc-O2.heap
readonly groups=$tmp/groups.toml
cat >"$groups" <<'END'
[[groups]]
name = "shop"
function = '^shop::'

[[groups]]
name = "all of main"
function = '^main$'
END

# The program holds 320 KiB through shop::, and 192 KiB without it.
text --groups "$groups" "$dump"
expect_flat shop $((320 << 10))
expect_cum shop $((320 << 10))
expect_flat 'all of main' $((192 << 10))
expect_equal rows 3 "$(row_count)"
expect_flat '\[other\]' $(($(total) - (512 << 10)))

# On a terminal, the sentences precede them.
on_terminal "80 rows 24" "$HEAPPROF --groups $groups $dump"
expect_match out '^ +[0-9.]+%.*(main|shop::)'
expect_match out '^ 320\.0 KiB .*  shop$'
expect_match out '^ 192\.0 KiB .*  all of main$'
expect_match out '  Your code, with libraries it calls$'
on_terminal "80 rows 24" "$HEAPPROF --groups=@own \
  --base $dumps/growth.first.heap $dumps/growth.grown.heap"
expect_match out '^  \+4\.0 MiB  demo::Grow, growth\.cc:[0-9]+$'
expect_match out ' \+4\.0 MiB .*  your code$'

# What no group has is shown even if rows are cut.
on_terminal "80 rows 24" "$HEAPPROF --quiet --groups $groups --base $dump $dump"
expect_match out '  \[other\]$'
for options in '' '--thread=*'; do
  run --text --groups "$groups" --top 1 ${options:+"$options"} "$dump"
  expect_equal rows 2 "$(grep -vc '^Total' "$tmp/out")"
  expect_match out ' \[other\]$'
done
run --json --groups "$groups" --top 1 "$dump"
expect_equal rows '["shop","[other]"]' "$(jq -c '[.rows[].name]' "$tmp/out")"

# Everything below main is one group from the root.
printf '%s\n' '[[groups]]' 'name = "root"' "function = '^main$'" \
  'from = "root"' >>"$groups"
text --groups "$groups" "$dump"
expect_flat root $((512 << 10))
expect_flat shop 0
expect_flat '\[other\]' $(($(total) - (512 << 10)))
expect_match err "^heapprof: --groups: no stack belongs to 'shop', 'all of main'$"
# A thread has only some of the groups; the built-in ones are not the user's.
run --thread=0 --groups "$groups" "$dump"
expect_no_match err 'no stack belongs'
run --groups=@rocksdb "$dump"
expect_no_match err 'no stack belongs'

# by_leaf FILE: from folded stacks, what each group holds, by its own count: the
# first frame from the leaf up that matches.
by_leaf() {
  awk '
    {
      value = $NF
      sub(/ [0-9]+$/, "")
      count = split($0, frames, ";")
      group = "[other]"
      for (i = count; i >= 1 && group == "[other]"; --i)
        if (frames[i] ~ /^demo::Shelf1[0-4]::/) group = "low"
        else if (frames[i] ~ /^demo::Shelf[0-9]+::/) group = "shelves"
        else if (frames[i] ~ /^demo::Inner|Refill/) group = "inner"
        else if (frames[i] ~ /^demo::/) group = "demo"
      sums[group] += value
    }
    END { for (group in sums) print sums[group], group }' "$1" | sort
}
cat >"$groups" <<'END'
groups = [
  { name = "low", function = '^demo::Shelf1[0-4]::' },
  { name = "shelves", function = '^demo::Shelf[0-9]+::' },
  { name = "inner", function = ['^demo::Inner', 'Refill'] },
  { name = "demo", function = '^demo::' },
]
END
for file in "$dumps"/{warehouse,inlining,growth,threads}.*.heap; do
  [[ $file != *-stripped.heap ]] || continue
  run --collapsed "$file"
  by_leaf "$tmp/out" >"$tmp/expected"
  text --groups "$groups" "$file"
  awk '!/^Total/ && $1 { print $1, $6 }' "$tmp/out" | sort >"$tmp/rows"
  expect_same expected rows
  # Roots hold what the rows hold, and stacks stay as they were.
  run --collapsed --groups "$groups" "$file"
  sed 's/^\[[^;]*\];//' "$tmp/out" | sort >"$tmp/stacks"
  awk '{
      value = $NF
      sub(/;.*/, "")
      if ($0 != "[other]") gsub(/^\[|\]$/, "")
      sums[$0] += value
    }
    END { for (group in sums) print sums[group], group }' "$tmp/out" |
    sort >"$tmp/roots"
  expect_same expected roots
  run --collapsed "$file"
  sort "$tmp/out" >"$tmp/plain"
  expect_same plain stacks
done

# JSON has the rows; a group can be selected; filters do not change groups.
run --json --groups "$groups" "$dumps/inlining.gcc-O2.heap"
python3 -B "$E2E_SOURCES/check_json.py" valid "$SCHEMA" "$tmp/out" ||
  fail JSON "valid" "what is above"
inner=$(jq '.rows[] | select(.name == "inner").flat.value' "$tmp/out")
expect_equal granularity '"groups"' "$(jq .granularity "$tmp/out")"
expect_equal "bytes of inner" $((131072 + 40960)) "$inner"
text --groups "$groups" --hide='^demo::|\[' "$dumps/inlining.gcc-O2.heap"
expect_flat inner "$inner"
run --text --show_bytes --groups "$groups" --focus='^\[inner\]$' --functions \
  "$dumps/inlining.gcc-O2.heap"
expect_flat '.*' "$inner"
expect_cum '\[inner\]' "$inner"

# Budgets and trends by group.
readonly sides=(--base "$dumps/growth.first.heap" --new "$dumps/growth.grown.heap")
run check --groups "$groups" --max-growth 1MiB "${sides[@]}"
expect_status 1
expect_match out '^3.5 MiB +7.5 MiB +\+4.0 MiB .* regression +demo$'
cat >"$tmp/budgets.toml" <<'END'
max_growth = "1MiB"
[[rules]]
group = "^demo$"
max_growth = "5MiB"
END
run check --groups "$groups" --budgets "$tmp/budgets.toml" "${sides[@]}"
expect_status 0
run check --groups=@own --budgets "$tmp/budgets.toml" "${sides[@]}"
expect_status 1
expect_match err 'rules\[0\] matches none of the groups'
run check --groups=@own --by function --budgets "$tmp/budgets.toml" "${sides[@]}"
expect_status 2
expect_match err "rules\\[0\\]: a pattern for 'group' matches nothing with --by function"
run trend --groups "$groups" --csv "$dumps"/growth.{first,grown}.heap
expect_match out '(^|,)demo(,|$)'

# The suggestion is read back, and its comments tell what the groups hold.
run groups --suggest "$dumps/shared_main.gcc-O2.heap"
expect_status 0
cp "$tmp/out" "$tmp/suggested.toml"
text --groups "$tmp/suggested.toml" "$dump"
expect_flat shop $((320 << 10))
expect_flat demo $((192 << 10))
grep -A1 '^# 54.1%, 320.0 KiB$' "$tmp/suggested.toml" | grep -qF '[[groups]]' ||
  fail suggestion "a comment with the share of shop" "none"
run groups -o "$tmp/built-in.toml"
expect_status 0
text --groups "$tmp/built-in.toml" "$dump"
cp "$tmp/out" "$tmp/from-file"
text --groups=@all "$dump"
expect_same from-file out

expect_usage_error 'groups.toml: ' --groups "$tmp/missing/groups.toml" "$dump"
echo '[[groups]' >"$groups"
expect_usage_error 'groups.toml:1: not TOML' --groups "$groups" "$dump"
expect_usage_error "found '@foo'" --groups=@foo "$dump"
expect_usage_error 'by group needs --groups' check --by group --max-growth 1MiB \
  "${sides[@]}"
expect_usage_error 'by group needs --groups' trend --by group "$dump"
expect_usage_error 'no dump given' groups --suggest
expect_usage_error 'needs --suggest' groups "$dump"

# The page has the stacks of the folded output.
run -o "$tmp/groups.html" --groups=@own "$dump"
python3 -B "$E2E_SOURCES/read_html.py" folded "$tmp/groups.html" inuse_space |
  sort >"$tmp/page"
run --collapsed --groups=@own "$dump"
sort "$tmp/out" >"$tmp/folded"
expect_same folded page

# The tables of groups in the page and in Markdown have the rows of JSON, and
# always [other].
run --json --groups=@rocksdb,@own "$dump"
jq -r '.rows[].name, "[other]"' "$tmp/out" | sort -u >"$tmp/named"
for name in groups.html groups.md; do
  run -o "$tmp/$name" --groups=@rocksdb,@own "$dump"
done
sed -n 's/.*<td data-kind="group">\([^<]*\)<.*/\1/p' "$tmp/groups.html" |
  sort >"$tmp/in_page"
expect_same named in_page
sed -n '/ Groups |$/,/^$/s/^| .* `\([^`]*\)` |$/\1/p' "$tmp/groups.md" |
  sort >"$tmp/in_markdown"
expect_same named in_markdown
run -o "$tmp/plain.md" "$dump"
expect_no_match plain.md 'Groups'

# Calls are in no group: threads are charged for functions as without groups.
readonly threads=$dumps/threads.gcc-O2.heap
for rows in --functions --groups=@own; do
  run --json $rows "$threads"
  jq -c '[.threads[].top_function]' "$tmp/out" >"$tmp/charged.$rows"
done
expect_match charged.--functions 'demo::HoldInThread'
expect_same charged.--functions charged.--groups=@own

# A pattern that takes too long is named with its place.
printf '[[groups]]\nname = "slow"\nfunction = "^(a+)+$"\n' >"$groups"
printf '%060db 1\n' 0 | tr 0 a >"$tmp/slow.folded"
expect_usage_error 'groups.toml:3: groups\[0\].function=.* takes too long' \
  --groups "$groups" "$tmp/slow.folded"
