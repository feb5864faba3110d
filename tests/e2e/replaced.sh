#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A deployment moves another build over the binary of a running program, or
# removes it: the dump says "(deleted)" then.
. "$(dirname "$0")/common.inc"

g++ -std=c++17 -g -O2 -o "$tmp/old" "$PROGRAMS/waits.cc"
# Another build: so different that calls are elsewhere.
g++ -std=c++17 -g -O0 -fno-pie -no-pie -static -o "$tmp/new" "$PROGRAMS/waits.cc"
mkdir "$tmp/srv"
cp "$tmp/old" "$tmp/srv/waits"

mkfifo "$tmp/in" "$tmp/ready"
LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/app" "$tmp/srv/waits" \
  <"$tmp/in" >"$tmp/ready" &
pid=$!
exec 3>"$tmp/in"
read -r word <"$tmp/ready"
expect_equal "first word" ready "$word"
mv "$tmp/new" "$tmp/srv/waits"

[[ $(readlink "/proc/$pid/exe") == "$tmp/srv/waits (deleted)" ]] ||
  fail "/proc/$pid/exe" "(deleted)" "$(readlink "/proc/$pid/exe")"
exec 3>&-
wait "$pid"
dump=$(echo "$tmp"/app.*.f.heap)
grep -q "$tmp/srv/waits (deleted)\$" "$dump" || fail "$dump" "(deleted)" none

text "$dump"
expect_no_match out 'demo::'
expect_match err '% of bytes have no names: waits is not the file that ran'
run info "$dump"
expect_match out '  wrong build  /.*/srv/waits \(deleted or replaced\)$'
text "$tmp/old" "$dump"
expect_flat 'demo::Hold' 131072
rm "$tmp/srv/waits"
text "$dump"
expect_match err '% of bytes have no names: waits was not found'
text "--symbol-path=$tmp/srv" "$tmp/old" "$dump"
expect_flat 'demo::Hold' 131072

# A build that differs little, so that most addresses fit: a function is longer.
cat >"$tmp/main.c" <<'END'
void first(void);
void second(void);
int main(void) {
  first();
  second();
  first();
  second();
}
END
cat >"$tmp/rest.c" <<'END'
#include <stdlib.h>
void* volatile kept;
void first(void) { kept = malloc(4096), kept = malloc(8192), kept = malloc(64); }
#ifdef LONGER
void middle(void) { kept = malloc(16), kept = 0; }
#endif
void second(void) { kept = malloc(4096), kept = malloc(8192), kept = malloc(64); }
END
build() {
  gcc -O1 -g -fno-toplevel-reorder "$@" -o "$tmp/small" "$tmp/main.c" "$tmp/rest.c"
}
build
LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/small" "$tmp/small"
small=$(echo "$tmp"/small.*.f.heap)
text "$small"
expect_no_match err 'may be wrong'
build -DLONGER
text "$small"
expect_match err 'warning: some names in small may be wrong: 2 of [0-9]+ return addresses follow no call; see heapprof info'
run info "$small"
expect_match out '  problem  +small: 2 of '

# The root of a process: a link that the kernel provides.
cp "$tmp/old" "$tmp/srv/waits"
text --sysroot "/proc/$$/root" "$dump"
expect_flat 'demo::Hold' 131072
run info --verbose --sysroot "/proc/$$/root" "$dump"
expect_match out "^  file  +/proc/$$/root$tmp/srv/waits\$"
