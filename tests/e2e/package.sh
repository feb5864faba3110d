#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What scripts/package.sh makes: a program that runs where nothing else is, with
# the reports of the other one; and a package that installs and vanishes.
. "$(dirname "$0")/common.inc"

cd "$E2E_SOURCES/../.."
bash scripts/package.sh -DCMAKE_UNITY_BUILD=ON >"$tmp/out" 2>"$tmp/err" ||
  fail scripts/package.sh "status 0" "status $?"
readonly dist=$PWD/build/dist
(cd "$dist" && sha256sum --check --quiet SHA256SUMS)

# The static program alone, below an empty root.
tar --directory "$tmp" -xzf "$dist"/heapprof-*.tar.gz
static=$(echo "$tmp"/heapprof-*/bin/heapprof)
readelf --wide --dynamic --program-headers "$static" >"$tmp/out"
expect_no_match out 'NEEDED|INTERP'
expect_match out ' PIE$'
readonly root=$tmp/root
mkdir -p "$root/proc"
cp "$static" "$bin/gcc-O2-static/inlining" "$root"
cp "$dumps/inlining.gcc-O2-static.heap" "$root/dump.heap"
command_line="the static program in an empty root"
unshare --map-root-user --mount sh -ec '
  mount --rbind /proc "$1/proc"
  exec chroot "$1" /heapprof --collapsed inlining dump.heap' sh "$root" \
  >"$tmp/out" 2>"$tmp/err"
cp "$tmp/out" "$tmp/alone"
run --collapsed "$bin/gcc-O2-static/inlining" \
  "$dumps/inlining.gcc-O2-static.heap"
expect_same alone out

# The same reports, byte for byte.
for dump in "$dumps"/*.heap; do
  for output in --text --json --collapsed --raw; do
    status=0
    "$static" "$output" "$dump" >"$tmp/static.out" 2>"$tmp/static.err" ||
      status=$?
    expected=$status
    run "$output" "$dump"
    expect_status "$expected"
    expect_same static.out out
    expect_same static.err err
  done
done

# What cannot work says so.
DEBUGINFOD_URLS=http://localhost "$static" --debuginfod --text \
  "$dumps/inlining.gcc-O2.heap" >"$tmp/out" 2>"$tmp/err" || true
expect_match err '^heapprof: error: --debuginfod does not work in .* static'
expect_equal lines 1 "$(wc -l <"$tmp/err")"

command_line=lintian
lintian --fail-on error "$dist"/*.deb >"$tmp/out" 2>"$tmp/err" ||
  fail lintian "no errors" "errors"

# Into a Debian of its own, and out of it.
command_line=mmdebstrap
package=$(basename "$dist"/*.deb)
mmdebstrap --quiet --variant=apt --customize-hook="
  set -e
  cp '$dist/$package' \"\$1/tmp\"
  cd \"\$1\"
  find usr etc var/lib -xdev | sort >'$tmp/before'
  chroot . apt-get -qq install --no-install-recommends '/tmp/$package'
  chroot . heapprof --version
  test -e usr/share/man/man1/heapprof.1.gz -o -e etc/dpkg/dpkg.cfg.d
  chroot . apt-get -qq purge heapprof
  chroot . apt-get -qq autoremove --purge
  find usr etc var/lib -xdev | sort >'$tmp/after'" \
  bookworm "$tmp/debian.tar" >"$tmp/out" 2>"$tmp/err" ||
  fail "installing $package" "status 0" "status $?"
expect_match out '^heapprof [0-9]'
comm -13 "$tmp/before" "$tmp/after" | grep heapprof >"$tmp/out" || true
expect_empty out
