#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds ISA-L as a static library, which Debian does not package, from the
# source package of this Debian release: DIR/libisal.a. Only with the parts that
# heapprof uses. Needs nasm, dpkg-dev and the network. Does nothing if the
# library is there.
#
# usage: build_isal.sh DIR
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: build_isal.sh DIR" >&2
  exit 2
fi
mkdir -p "$1"
cd "$1"
[[ ! -f libisal.a ]] || exit 0
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
# apt checks the signatures. The lists of the system stay as they are.
. /etc/os-release
mkdir -p "$tree"/lists/partial "$tree"/archives/partial
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
  "http://deb.debian.org/debian $VERSION_CODENAME main" >"$tree/sources.list"
apt_options=(-qq -o "Dir::Etc::SourceList=$tree/sources.list"
  -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$tree/lists"
  -o "Dir::Cache=$tree" -o APT::Sandbox::User=root)
apt-get "${apt_options[@]}" update
(cd "$tree" && apt-get "${apt_options[@]}" source libisal)
make -s -C "$tree"/libisal-*/ -f Makefile.unx lib host_cpu=x86_64 \
  units="igzip crc" -j"$(nproc)" >"$tree/log" || {
  cat "$tree/log" >&2
  exit 1
}
cp "$tree"/libisal-*/bin/isa-l.a libisal.a
