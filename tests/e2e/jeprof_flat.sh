#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Flat dumps are scaled as jeprof scales them, whatever their header says.
. "$(dirname "$0")/common.inc"

# flat TYPE TOTALS: a symbolized flat dump. All addresses have names, those of
# leaves, too: jeprof does not say in which file the others are.
flat() {
  cat <<END
--- symbol
binary=/opt/demo/server
0x0000000000401000 leaf
0x00000000004010ff caller
0x0000000000401100 caller
0x00000000004011ff main
0x0000000000401200 main
---
--- heap
heap profile: $2 $1
     3:     3000 [     8:     90000] @ 0x00401000 0x00401100 0x00401200
     1:    77777 [     1:     77777] @ 0x00401100 0x00401200
     7: 12345678 [    70: 123456780] @ 0x00401200
     5:       40 [    60:       480] @ 0x00401000 0x00401200

MAPPED_LIBRARIES:
00400000-00500000 r-xp 00000000 fe:00 7                 /opt/demo/server
END
}

readonly differ="16: 12426495 [ 139: 123625037]"
readonly equal="16: 12426495 [ 16: 12426495]"
for type in '@ heap_v2/524288' '@ heapz_v2/1' '@ heap_v2/' '@ heap_v2' \
  '@ heap/524288' '@ heap/3' '@ heap' '@ heapprofile' '@ growth' '@ growthz' \
  '@ fragmentationz/7' '@' ''; do
  for totals in "$differ" "$equal"; do
    flat "$type" "$totals" >"$tmp/dump"
    for metric in inuse_space inuse_objects alloc_space alloc_objects; do
      jeprof --text --show_bytes --$metric "$tmp/dump" \
        >"$tmp/jeprof" 2>"$tmp/messages"
      grep -q '^Total: [1-9]' "$tmp/jeprof" ||
        fail "jeprof" "a total" "$(cat "$tmp/messages")"
      run --text --show_bytes --$metric "$tmp/dump"
      expect_status 0
      expect_same jeprof out
      # We say so, too, where the period is jeprof's guess.
      assumed=$(grep -c '1-in-128KB' "$tmp/messages" || true)
      expect_equal "warnings" "$assumed" \
        "$(grep -c 'no sampling period' "$tmp/err" || true)"
    done
  done
done
