#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A dump from a container: its binaries and debug files are below another root
# or elsewhere on this machine.
. "$(dirname "$0")/common.inc"

text "$dumps/inlining.gcc-O2.heap"
cp "$tmp/out" "$tmp/expected"
sed 's|/[^ ]*/inlining$|/opt/app/server|' "$dumps/inlining.gcc-O2.heap" \
  >"$tmp/container.heap"

# same ARGUMENT...: the report equals that on the files at their old places.
same() {
  text "$@" "$tmp/container.heap"
  expect_same expected out
}

readonly root=$tmp/root
mkdir -p "$root/opt/app" "$root/usr/lib/debug/opt/app"
objcopy --only-keep-debug "$bin/gcc-O2/inlining" \
  "$root/usr/lib/debug/opt/app/server.debug"
strip -o "$root/opt/app/server" "$bin/gcc-O2/inlining"
same --sysroot "$root"
same --sysroot=/nowhere --sysroot="$root/"
same --path-map "/opt=$root/opt" \
  --debug-dir "$root/usr/lib/debug"

# Links below that root, even absolute ones, lead to places below it.
mkdir -p "$root/srv/releases" "$root/etc/alternatives"
mv "$root/opt/app" "$root/srv/releases/7"
ln -s /srv/releases/7 "$root/etc/alternatives/app"
ln -s /etc/alternatives/app "$root/opt/app"
same --sysroot "$root"

mv "$root/srv/releases/7/server" "$tmp/server"
for option in --path-map="/opt/app=$tmp" --symbol-path="/nowhere:$tmp" \
  --lib_prefix="/nowhere,$tmp"; do
  same "$option" "$root/usr/lib/debug/opt/app/server.debug"
done

expect_no_match err 'has no code to check'

# Only the debug file is left. Nothing shows that it is of the right build.
rm "$tmp/server"
same "$root/usr/lib/debug/opt/app/server.debug"
expect_match err '^heapprof: warning: server: server\.debug has no code to check,'\
' so its names are wrong if it is of another build; give the stripped program,'\
' too$'
run info "$root/usr/lib/debug/opt/app/server.debug" "$tmp/container.heap"
expect_match out '^  problem +server: server\.debug has no code, so nothing shows'
run --path-map /opt "$tmp/container.heap"
expect_status 2
expect_match err "^heapprof: error: --path-map: expected FROM=TO, found '/opt'"

# A program that ran from a memory file.
sed 's|/opt/app/server$|/memfd:server (deleted)|' "$tmp/container.heap" \
  >"$tmp/memory.heap"
text "$bin/gcc-O2/inlining" "$tmp/memory.heap"
expect_same expected out
