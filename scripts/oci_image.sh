#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes an OCI image that holds nothing but the static program, as an archive
# for 'podman load', 'docker load' (since version 25) and 'skopeo copy
# oci-archive:FILE'. The same program and $SOURCE_DATE_EPOCH make the same bytes.
#
# usage: oci_image.sh PROGRAM VERSION ARCHITECTURE FILE.tar
#
# ARCHITECTURE is Go's word for it: amd64, arm64.
set -euo pipefail

if [[ $# -ne 4 || -z ${SOURCE_DATE_EPOCH-} ]]; then
  echo "usage: SOURCE_DATE_EPOCH=SECONDS oci_image.sh PROGRAM VERSION" \
    "ARCHITECTURE FILE.tar" >&2
  exit 2
fi
readonly program=$1 version=$2 architecture=$3 file=$4
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
date=$(date --utc --date="@$SOURCE_DATE_EPOCH" +%FT%TZ)
readonly layout=$tmp/image history=(--history.created="$date")

install -m 755 "$program" "$tmp/heapprof"
touch --date="@$SOURCE_DATE_EPOCH" "$tmp/heapprof"
umoci init --layout "$layout"
umoci new --image "$layout:$version"
umoci insert --rootless --image "$layout:$version" "${history[@]}" \
  "$tmp/heapprof" /heapprof
umoci config --image "$layout:$version" "${history[@]}" --created="$date" \
  --os=linux --architecture="$architecture" --config.entrypoint=/heapprof \
  --config.env=PATH=/ \
  --manifest.annotation="org.opencontainers.image.version=$version"
umoci gc --layout "$layout"
tar --directory "$layout" --create --file "$file" --sort=name \
  --mtime="@$SOURCE_DATE_EPOCH" --mode=u=rwX,go=rX --owner=0 --group=0 --numeric-owner .
