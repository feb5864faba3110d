#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What scripts/package.sh makes: a program that needs no library (empty_root.sh
# has more about it), with the reports of the other one; an image with it; a
# package that installs and vanishes.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/static_program.inc"

cd "$E2E_SOURCES/../.."
readonly dist=$PWD/build/dist
command_line=scripts/package.sh
bash scripts/package.sh --aarch64 -DHEAPPROF_WERROR=ON >"$tmp/out" 2>"$tmp/err" ||
  fail scripts/package.sh "status 0" "status $?"
tar --directory "$tmp" -xzf "$dist"/heapprof-*-x86_64.tar.gz
STATIC_HEAPPROF=$(echo "$tmp"/heapprof-*/bin/heapprof)

# It needs no library and no loader. What it preloads runs with an old glibc.
command_line="readelf $STATIC_HEAPPROF"
readelf --wide --dynamic --program-headers "$STATIC_HEAPPROF" >"$tmp/out"
expect_no_match out 'NEEDED|INTERP'
expect_match out 'FLAGS_1.* PIE'
command_line=oldest_glibc.sh
bash tests/record/oldest_glibc.sh build/static/src/record/libheapprof_preload.so ||
  fail "$command_line" "status 0" "status $?"

expect_same_reports "$STATIC_HEAPPROF" "$dumps"/*.heap
expect_same_files "$STATIC_HEAPPROF" "$dumps/inlining.gcc-O2.heap" cat

# What cannot work says so.
DEBUGINFOD_URLS=http://localhost HEAPPROF=$STATIC_HEAPPROF run --debuginfod \
  --text "$dumps/inlining.gcc-O2.heap"
expect_status 2
expect_match err '^heapprof: error: --debuginfod is not in this build'
expect_equal lines 1 "$(wc -l <"$tmp/err")"

# The image holds it and nothing else.
version=$("$STATIC_HEAPPROF" --version | sed -n '1s/heapprof //p')
mkdir "$tmp/image"
tar --directory "$tmp/image" -xf "$dist"/heapprof-*-amd64.oci.tar
command_line="umoci raw unpack"
umoci raw unpack --rootless --image "$tmp/image:$version" "$tmp/unpacked" \
  >"$tmp/out" 2>&1 || fail "$command_line" "status 0" "status $?"
expect_equal "files of the image" "$tmp/unpacked/heapprof" \
  "$(find "$tmp/unpacked" -mindepth 1)"
cmp "$tmp/unpacked/heapprof" "$STATIC_HEAPPROF"
skopeo inspect --config "oci-archive:$(echo "$dist"/*-amd64.oci.tar)" >"$tmp/out"
expect_equal entry /heapprof "$(jq -r '.config.Entrypoint[0]' "$tmp/out")"

# The SBOM names each library that the dynamic program loads.
sources_of() {
  sort -u | xargs dpkg-query --show --showformat='${source:Package}\n' | sort -u
}
SOURCE_DATE_EPOCH=0 python3 scripts/sbom.py "$version" x86_64 build/static \
  >"$tmp/sbom.json"
jq -r '.packages[].name | select(. != "heapprof")' "$tmp/sbom.json" |
  sources_of >"$tmp/named"
# Packages may say /lib for /usr/lib.
ldd build/package/heapprof | awk '$2 == "=>" { print $3 }' | xargs realpath |
  sed 's,.*/,*/x86_64-linux-gnu/,' | xargs dpkg-query --search |
  sed 's/:.*//' | sources_of >"$tmp/loaded"
comm -13 "$tmp/named" "$tmp/loaded" >"$tmp/missing"
expect_empty missing
[[ $(wc -l <"$tmp/loaded") -gt 5 ]] || fail loaded "some libraries" few

# The program for aarch64 is made of the same libraries; the compiler's are
# packaged for cross-compilation.
SOURCE_DATE_EPOCH=0 python3 scripts/sbom.py "$version" aarch64 \
  build/static-aarch64 build/arm64-root >"$tmp/sbom.aarch64.json"
for sbom in sbom sbom.aarch64; do
  jq -r '.packages[] | "\(.name) \(.licenseDeclared)"' "$tmp/$sbom.json" |
    sed 's/-arm64-cross / /' | sort >"$tmp/$sbom.parts"
done
expect_same sbom.parts sbom.aarch64.parts

command_line=lintian
lintian --fail-on error,warning "$dist"/*.deb >"$tmp/out" 2>"$tmp/err" ||
  fail lintian "neither errors nor warnings" "some"

# The package goes into a Debian of its own, works, and leaves no trace.
command_line=mmdebstrap
mmdebstrap --quiet --variant=apt --customize-hook="
  set -e
  cp '$(echo "$dist"/*.deb)' \"\$1/tmp/heapprof.deb\"
  cp '$bin/gcc-O2-static/inlining' '$dumps/inlining.gcc-O2-static.heap' \
    \"\$1/tmp\"
  cd \"\$1\"
  chroot . apt-get -qq install --no-install-recommends /tmp/heapprof.deb
  chroot . heapprof --collapsed /tmp/inlining /tmp/inlining.gcc-O2-static.heap \
    >'$tmp/installed'
  chroot . dpkg --listfiles heapprof >'$tmp/files'
  chroot . apt-get -qq purge heapprof
  find etc usr var/lib -xdev -path '*heapprof*' >'$tmp/left'" \
  bookworm "$tmp/debian.tar" >"$tmp/out" 2>"$tmp/err" ||
  fail "installing the package" "status 0" "status $?"
for file in bin/heapprof share/man/man1/heapprof-check.1.gz \
  share/bash-completion/completions/heapprof; do
  expect_match files "^/usr/$file\$"
done
expect_match installed ';main;demo::HoldChain\(int\);.*demo::Inner\(int\) 131072$'
expect_empty left
