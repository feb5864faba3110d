#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds one program in the ways that debug information is shipped.
#
# usage: make_fixtures.sh SOURCE OUT
#
#   OUT/plain/app      with debug information     OUT/lld/app       and by lld
#   OUT/stripped/app   of plain, without any      OUT/other/app     other build
#   OUT/by-id/         debug directory that holds plain's debug file by id
#   OUT/by-link/app    with a debuglink, no id    OUT/dot-debug/app likewise
#   OUT/bad-link/app   whose debug file changed   OUT/no-dwo/app    split, with-
#   OUT/app.calls      see below                                    out its .dwo
#
# BINARY.calls has one line for every call instruction of BINARY: file offset
# and address of the instruction after it, and the function it is in.
set -euo pipefail
export LC_ALL=C

readonly source=${1:?the program}
readonly out=${2:?the directory to write to}

list_calls() {
  objdump --disassemble --file-offsets --no-show-raw-insn "$1" |
    python3 "$(dirname "$0")/list_calls.py" > "$1.calls"
}

# split DIR DEBUG: moves DIR/app's debug information to DIR/DEBUG.
split() {
  local folder
  folder=$(dirname "$1/$2")
  mkdir -p "$folder"
  objcopy --only-keep-debug "$1/app" "$1/$2"
  strip "$1/app"
  (cd "$folder" && objcopy --add-gnu-debuglink="$(basename "$2")" "$1/app")
}

rm -rf "$out"
mkdir -p "$out"/{plain,lld,stripped,other,by-id,by-link,dot-debug,bad-link}
mkdir "$out/no-dwo"
g++ -g -O1 -o "$out/plain/app" "$source"
g++ -g -O1 -DPADDING -o "$out/other/app" "$source"
clang++-19 -g -O1 -fuse-ld=lld -Wl,--build-id -o "$out/lld/app" "$source"
for folder in by-link dot-debug bad-link; do
  g++ -g -O1 -Wl,--build-id=none -o "$out/$folder/app" "$source"
done
g++ -g -gsplit-dwarf -O1 -o "$out/no-dwo/app" "$source"
rm "$out/no-dwo/"*.dwo
for folder in plain other lld no-dwo; do
  list_calls "$out/$folder/app"
done

id=$(readelf --notes "$out/plain/app" | awk '/Build ID:/ { print $3 }')
mkdir -p "$out/by-id/.build-id/${id:0:2}"
objcopy --only-keep-debug "$out/plain/app" \
  "$out/by-id/.build-id/${id:0:2}/${id:2}.debug"
strip -o "$out/stripped/app" "$out/plain/app"
echo -n "$id" > "$out/plain/app.id"

split "$out/by-link" app.debug
split "$out/dot-debug" .debug/app.debug
split "$out/bad-link" app.debug
printf 'x' >> "$out/bad-link/app.debug"
touch "$out/done"
