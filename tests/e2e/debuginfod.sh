#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# With --debuginfod, missing files come from a real debuginfod server and are
# found again later without it. Without the option the server is never asked.
#
# The server listens on all addresses and has no option to listen on fewer. If
# the system lets users make a network namespace, it only has the loopback.
if [[ -z ${IN_OWN_NETWORK-} ]] &&
  unshare --map-root-user --net ip link set lo up 2>/dev/null; then
  IN_OWN_NETWORK=1 exec unshare --map-root-user --net \
    sh -c 'ip link set lo up && exec bash "$0"' "$0"
fi
. "$(dirname "$0")/common.inc"
# The client connects to this machine, not to a proxy.
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY

readonly dump=$dumps/inlining.gcc-O2.heap
mkdir "$tmp/served" "$tmp/app"
cp "$bin/gcc-O2/inlining" "$tmp/served/"
cp "$bin/gcc-O2/inlining" "$tmp/app/"
strip "$tmp/app/inlining"

server=
stop_server() {
  [[ -z $server ]] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  server=
}
trap 'stop_server; rm -rf "$tmp"' EXIT

# fetch PATH: downloads from the server, and drops the content.
fetch() {
  python3 -c 'import sys, urllib.request as r
r.build_opener(r.ProxyHandler({})).open(sys.argv[1], timeout=5).read(1)' \
    "$1" 2>/dev/null
}

# start_server: on a free port. Tries again if the port has been taken.
start_server() {
  local port
  for _ in 1 2 3 4 5; do
    port=$(python3 -c 'import socket; s = socket.socket()
s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    url=http://127.0.0.1:$port
    debuginfod -v -d :memory: -p "$port" -F "$tmp/served" >"$tmp/log" 2>&1 &
    server=$!
    for _ in {1..200}; do
      kill -0 "$server" 2>/dev/null || break
      fetch "$url/buildid/$id/debuginfo" && return
      sleep 0.1
    done
    stop_server
  done
  fail "debuginfod" "a server" "$(tail -n 5 "$tmp/log")"
}

id=$(readelf --notes "$bin/gcc-O2/inlining" | awk '/Build ID:/ { print $3 }')
start_server
export DEBUGINFOD_URLS=$url
requests() { grep -c 'GET /buildid' "$tmp/log" || true; }

text "$dump"
cp "$tmp/out" "$tmp/expected"

# Nothing is fetched without the option.
before=$(requests)
text "$tmp/app/inlining" "$dump"
expect_no_match out 'demo::'
expect_equal "requests" "$before" "$(requests)"
run info "$tmp/app/inlining" "$dump"
expect_match out "^    export DEBUGINFOD_URLS=$url\$"
[[ ! -e $tmp/cache/debuginfod_client ]] || fail cache none written

text --debuginfod "$tmp/app/inlining" "$dump"
expect_same expected out

# A profile with a build id, whose binary is gone.
python3 "$(dirname "$0")/pprof_layout.py" D "$dump" "$tmp/service.pb"
python3 - "$tmp/service.pb" "$bin/gcc-O2/inlining" "$tmp/gone.pb" <<'PY'
import gzip, sys
path, old = sys.argv[1], sys.argv[2].encode()
data = gzip.open(path).read() if open(path, "rb").read(2) == b"\x1f\x8b" \
    else open(path, "rb").read()
assert old in data
open(sys.argv[3], "wb").write(data.replace(old, b"/gone".ljust(len(old), b"x")))
PY
text --debuginfod "$tmp/gone.pb"
expect_flat 'demo::Inner \(inline\)' 131072

# A message names files that the servers lack. Nothing is downloaded twice.
run info --verbose --debuginfod "$dumps/inlining.gcc-O2-stripped.heap"
expect_match out 'tried +the servers in DEBUGINFOD_URLS$'
expect_no_match out 'curl|--debuginfod'
stop_server
text "$tmp/app/inlining" "$dump"
expect_same expected out
run info --verbose "$tmp/app/inlining" "$dump"
sed -z 's/\n \{20\}/ /g' "$tmp/out" >"$tmp/facts"
expect_match facts "debug info +DWARF 5 in $tmp/cache/debuginfod_client/$id/deb"
mv "$tmp/cache/debuginfod_client" "$tmp/elsewhere"
DEBUGINFOD_CACHE_PATH=$tmp/elsewhere text "$tmp/app/inlining" "$dump"
expect_same expected out

# If no server answers, one message says so, and the report is complete.
run info --verbose --debuginfod "$tmp/app/inlining" "$dump"
expect_status 0
expect_match out 'DEBUGINFOD_URLS: not reachable: '

unset DEBUGINFOD_URLS
run --debuginfod "$dump"
expect_status 2
expect_match err 'error: --debuginfod needs the list of servers in DEBUGINFOD_URLS, which'
