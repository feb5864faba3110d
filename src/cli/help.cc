// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

namespace heapprof {

std::string VersionText() { return "heapprof " HEAPPROF_VERSION "\n"; }

std::string HelpText() {
  return R"(heapprof - who holds the memory: reads jemalloc heap dumps, names every frame

usage: heapprof [options] [BINARY] DUMP...
       heapprof info [options] [BINARY] DUMP
       heapprof cache [list|prune|clear]

Arguments are recognised by what they contain, in any order. Without BINARY the
program is found through the memory map in the dump. DUMP may be a heap dump
(*.heap), a symbolized '--- symbol' file, a pprof profile, each also
compressed (.gz, .zst, .xz, .bz2), or '-' for standard input. Several dumps are
added up. A folder stands for the binaries and debug files in it, and for the
dump if it holds the only one.

Examples:
  heapprof --collapsed BIN DUMP | flamegraph.pl --color=mem --countname=bytes > mem.svg
  heapprof --text --cum --show_bytes BIN DUMP
  heapprof --text DUMP
  heapprof --base OLD.heap NEW.heap
  heapprof --callers 'Block::Read' DUMP
  heapprof info DUMP
  heapprof --proto -o heap.pb.gz BIN DUMP && pprof -top heap.pb.gz
  heapprof --proto -o named.pb.gz BIN heap.pb.gz

'info' says what is in the dump, which modules have names and what to do about
the others; with --top N of N modules, with --verbose all that is known of each,
with --json for scripts. 'cache' lists the indexes of binaries, removes those
that are of no use, or all.

All numbers are estimates from samples. 'info' and --threads show their bounds
for 95 % confidence. Those of totals are wider if threads ran one after another
on one stack, which jemalloc samples alike; a pprof profile does not show that.

Output (one; default --overview on a terminal, else --text):
  --overview           who holds the memory, on one screen: the functions of
                       your own code, those that allocate, what to run next
  --text               table: what each holds itself, and with what it calls
  --collapsed          folded stacks for flamegraph.pl; with --base, what grew
  --proto, --pprof     pprof profile, gzipped
  --raw                the dump with its names, which needs no binary
  --tree               each function between its callers and its callees
  --peek RE            the same of the functions that match a Perl regular
                       expression
  --list RE            the sources of these functions, with what each line holds
  --disasm RE          their machine code, with what each instruction holds; by
                       objdump
  --callers RE         who calls the functions that match, all the way up:
                       a tree for each, without what is below 1 %
  --callees RE         what they call, all the way down
  --traces             every stack with its value
  --threads            what each thread holds, with bounds for 95 % confidence
  --symbols            names of the addresses on standard input, of BINARY or of
                       the files in a memory map that comes along
  --callgrind          costs by line and call, for KCachegrind
  --dot                call graph in Graphviz's language
  --svg, --pdf, --ps, --png, --gif
                       the same as a picture, drawn by Graphviz
  -o FILE              write to FILE, whole or not at all. Its name chooses the
                       output (.txt .svg .pb.gz ...), unless an option
                       does. May be repeated, with '-' for standard output:
                       several outputs of one run, all or none
Table:
  --cum                sort by cumulative value
  --top N              only the first N rows, 0 for all (on a terminal: as many
                       as fit; of --tree and --traces, 30)
  --show_bytes         bytes instead of MB, MiB and the like
Rows of tables and frames of stacks (one; default --functions):
  --functions          functions
  --lines              and the lines in them
  --files              source files
  --addresses          addresses of the calls: one less than the return
                       addresses in a dump, as in jeprof; so is module+0x1234
  --modules            binaries
Call graph:
  --nodecount N        at most N functions (default 80; 0: no limit)
  --nodefraction F     only functions above F of the total (default 0.005); of
                       --callers and --callees, too (default 0.01)
  --edgefraction F     only calls above F of the total (default 0.001)
  --maxdegree N        at most N callers and callees each (default 8)
  --heapcheck          mark what holds memory itself instead of colouring
  --scale N            changes nothing: jeprof's viewer was started with it
Metric (one; default --inuse_space):
  --inuse_space        bytes that are live
  --inuse_objects      objects that are live
  --alloc_space        bytes allocated since the start (prof_accum:true)
  --alloc_objects      objects allocated since the start (prof_accum:true)
Comparison:
  --base FILE          subtract FILE: of the same process, of another run, or of
                       another build; may be repeated. A warning says if the
                       sampling periods or the programs differ
  --drop_negative      count what shrank as unchanged
  --two-column         with --collapsed: 'stack before now'
Names (default: short in tables, full elsewhere):
  --names full         whole signatures, without what differs between builds
  --names template     without arguments, with template arguments
  --names short        without both; what shares a name is added up
Threads:
  --thread UID, --thread NAME
                       only what this thread allocated; threads of one name
                       together
  --thread '*'         each thread apart: a table each; in stacks and graphs,
                       its name above what it calls
Filters (Perl's regular expressions, applied in this order):
  --retain RE, --exclude RE
                       only, or without, the frames of functions that match
  --focus RE, --ignore RE
                       only, or without, the stacks with a match: a function,
                       FILE:LINE, or an address in 16 digits
  --module RE          only stacks with a frame in a binary whose path matches
  --hide RE            without frames whose function, source file or binary
                       matches, at every level of inlining; may be repeated.
                       Built-in sets: @std (the C and C++ libraries), @rust
                       (Rust's), @wrappers (xmalloc and the like), also as
                       --hide=@std,@wrappers
  --show_from RE       without what called the matching frame nearest the root
  --prune_from RE      without what the matching frame nearest the leaf called
  --own RE|auto|none   the same, for the first frame of one's own code, by its
                       function, source file or binary. auto finds it: the
                       program and libraries beside it, without other people's
                       sources and libraries, and without allocation wrappers
  --no-inlines         inlined calls belong to the function they are in
  --allocator-frames   keep the allocator's own frames, which are cut otherwise
Symbols:
  --maps FILE          for dumps without a memory map: that of FILE, another
                       dump of the process or a copy of /proc/PID/maps
  --load-base ADDR, --load-base FILE=ADDR
                       or where the first page of BINARY, or of FILE, was (in
                       hexadecimal); may be repeated
  --perf-map FILE      names of code that a JIT compiler made, as in
                       /tmp/perf-PID.map; perf-PID.map next to a dump of
                       process PID is found without; may be repeated
  --symbol-path DIR[:DIR...]
                       look for binaries in DIR, under their path or any end of
                       it; may be repeated
  --lib_prefix DIR[,DIR...]
                       the same
  --source-path DIR[:DIR...]
                       the same for source files
  --tools objdump:PATH the objdump that --disasm runs
  --add_lib FILE       code at the addresses that FILE itself states, for what
                       the memory map lacks
  --path-map FROM=TO   what was below FROM is below TO here; may be repeated
  --sysroot DIR        look for everything below DIR, such as /proc/PID/root of
                       a container; may be repeated
  --debug-dir DIR      look for debug files in DIR; may be repeated
  --debuginfod         download what is missing from the servers in
                       DEBUGINFOD_URLS; nothing else uses the network
  --force              use a binary although the addresses do not fit it
  --jobs N             threads, 0 for one per core (the default)
Index cache (what a run has read of a binary serves all later ones):
  --cache, --no-cache  use and build indexes (the default), or do neither
  --cache-dir DIR      keep them in DIR, not in $XDG_CACHE_HOME/heapprof or
                       ~/.cache/heapprof
  --cache-size SIZE    remove those not used for longest beyond SIZE (4GiB)
pprof profiles as DUMP:
  --resymbolize        replace their names by those found in the binaries
  --pprof-addr KIND    what addresses are if nothing else tells: runtime, vaddr
                       (of the ELF file) or fileoff (offsets in it)
  --sample-period N    bytes between samples, if the profile does not say
Terminal:
  --color WHEN         auto (the default: on terminals that know colours, unless
                       NO_COLOR is set), always or never
Messages:
  --quiet, --verbose   only errors; every warning, and what took how long
  --help, --version

Options of jeprof keep their names, abbreviations and meaning: one or two
dashes, any case, unique prefixes, --opt=VALUE or --opt VALUE, before or after
the files.

Exit status: 0 done, 1 failed (unreadable or damaged input, write error),
2 wrong usage.
)";
}

}  // namespace heapprof
