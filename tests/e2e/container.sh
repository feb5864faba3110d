#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A dump that was really taken in a container: by a program with another root
# and with mounts of its own. Its files are found from outside by --sysroot.
. "$(dirname "$0")/common.inc"

allocator=$(LD_PRELOAD=libjemalloc.so.2 awk '/libjemalloc/ { print $6; exit }' \
  /proc/self/maps)
if ! unshare --map-root-user --mount true 2>"$tmp/err"; then
  echo "skipped: no namespaces for this user: $(cat "$tmp/err")"
  exit 77
fi

# in_container COMMANDS: the shell's, where $1 is the container's root.
in_container() {
  unshare --map-root-user --mount sh -ec "
    mount --rbind /proc \"\$1/proc\"
    export MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:0
    MALLOC_CONF=\$MALLOC_CONF,prof_prefix:/tmp/server
    $1" sh "$root"
}

readonly root=$tmp/root
mkdir -p "$root"/{opt/app,run,proc,tmp,etc}
g++ -std=c++17 -g -O2 -o "$root/opt/app/server" "$PROGRAMS/waits.cc"
ldd "$root/opt/app/server" "$allocator" |
  awk '$2 == "=>" { print $3 } $1 ~ /^\/.*\/ld-/ { print $1 }' | sort -u |
  while read -r library; do
    mkdir -p "$root${library%/*}"
    cp -L "$library" "$root$library"
  done
mkdir -p "$root${allocator%/*}"
cp "$allocator" "$root$allocator"
echo "$allocator" >"$root/etc/ld.so.preload"

in_container 'chroot "$1" /opt/app/server </dev/null' >"$tmp/said"
dump=$(echo "$root"/tmp/server.*.f.heap)
grep -q ' /opt/app/server$' "$dump" || fail "$dump" /opt/app/server none
text "$dump"
expect_no_match out 'demo::'
expect_match err '% of bytes have no names: server was not found'
text --sysroot "$root" "$dump"
expect_flat 'demo::Hold' 131072
run info --verbose --sysroot "$root" "$dump"
expect_match out "^  file  +$root/opt/app/server\$"
rm "$dump"

# While a process lives, files on mounts of the container are found, too.
mkfifo "$tmp/in" "$tmp/pid"
in_container '
  mount -t tmpfs none "$1/run"
  mv "$1/opt/app/server" "$1/run"
  chroot "$1" /run/server <"$1/../in" &
  chroot "$1" /run/server </dev/null
  echo $! >"$1/../pid"
  wait' >"$tmp/said" &
exec 3>"$tmp/in"
read -r pid <"$tmp/pid"
dump=$(echo "$root"/tmp/server.*.f.heap)
text --sysroot "$root" "$dump"
expect_no_match out 'demo::'
text --sysroot "/proc/$pid/root" "$dump"
expect_flat 'demo::Hold' 131072
run info --verbose --sysroot "/proc/$pid/root" "$dump"
expect_match out "^  file  +/proc/$pid/root/run/server\$"
exec 3>&-
wait
