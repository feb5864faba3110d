#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A budgets file on real dumps.
. "$(dirname "$0")/common.inc"

readonly sides=(--base "$dumps/growth.first.heap" "$dumps/growth.grown.heap")

# check STATUS ARGUMENT...: with the budgets on standard input.
check() {
  local expected=$1
  shift
  cat >"$tmp/budgets.toml"
  run check --budgets "$tmp/budgets.toml" "$@" "${sides[@]}"
  expect_status "$expected"
}

check 1 <<<'max_growth = "1MiB"'
check 0 --max-growth=1GiB <<<'max_growth = "1MiB"'
check 0 <<<$'max_growth = "1MiB"\nfail_on = "never"'
check 2 <<<'max_grwoth = "1MiB"'
expect_match err "budgets.toml:1: unknown key 'max_grwoth'"
check 2 <<<'max_growth = "10"'
expect_match err 'budgets.toml:1: max_growth: 10 has no unit; expected 10%, 10MiB'
check 2 <<<$'[[rules]]\nfunction = "f"\nmax_total = "5"'
expect_match err 'budgets.toml:3: rules\[0\].max_total: 5 has no unit; expected 5M'
check 2 <<<'by = "file"'
expect_match err 'no limit'

check 0 <<'END'
max_growth = "1MiB"
[[rules]]
function = "^demo::"
max_growth = "4MiB"
END
check 1 <<'END'
[[rules]]
function = "^demo::Grow"
max_growth = "3MiB"
END
expect_match out '^ +rules\[0\]\.max-growth, via '
check 0 <<'END'
max_growth = "1MiB"
[[ignore]]
function = "^demo::Grow"
reason = "known <leak>"
expires = 2999-12-31
END
expect_match out '^ +max-growth, ignored until 2999-12-31: known <leak>'
check 1 <<'END'
max_growth = "1GiB"
[[ignore]]
function = "^demo::Grow"
reason = "known"
expires = 2020-12-31
END
expect_match out ' regression  ignore\[0\]$'
expect_match out '^ +expired on 2020-12-31: known$'
check 0 <<'END'
max_growth = "1GiB"
[[rules]]
file = "nosuch"
max_growth = "4MiB"
END
expect_match err 'rules\[0\] matches none of the functions'
# Without another limit, nothing would be judged.
check 3 <<'END'
[[rules]]
function = "^demo::Gorw"
max_growth = "4MiB"
END
expect_match err 'error: .*its rules match none of the functions'
check 2 <<'END'
max_growth = "1GiB"
[[rules]]
module = "growth"
max_growth = "4MiB"
END
expect_match err "rules\\[0\\]: a pattern for 'module' matches nothing with --by function"

# A file that is not there is a mistake on the command line.
for path in "$tmp/none.toml" "$tmp"; do
  expect_usage_error "error: $path: (cannot open|is a directory)" \
    check --budgets "$path" "${sides[@]}"
done
