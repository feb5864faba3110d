#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Unpacks the source package NAME of this Debian release into DIR. apt checks the
# signatures; the lists of the system stay as they are. Needs dpkg-dev and the
# network.
#
# usage: debian_source.sh NAME DIR
set -euo pipefail

if [[ $# -ne 2 ]]; then
  echo "usage: debian_source.sh NAME DIR" >&2
  exit 2
fi
mkdir -p "$(dirname "$2")"
tree=$(mktemp -d "$2.XXXXXX")
trap 'rm -rf "$tree"' EXIT
. /etc/os-release
mkdir -p "$tree"/lists/partial "$tree"/archives/partial
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
  "http://deb.debian.org/debian $VERSION_CODENAME main" >"$tree/sources.list"
options=(-qq -o "Dir::Etc::SourceList=$tree/sources.list"
  -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$tree/lists"
  -o "Dir::Cache=$tree" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(cd "$tree" && apt-get "${options[@]}" source "$1" >/dev/null)
mv "$tree/$1"-*/ "$2"
