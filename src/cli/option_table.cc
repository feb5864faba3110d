// SPDX-License-Identifier: Apache-2.0
#include "cli/option_table.h"

namespace heapprof {
namespace {

using enum OptionKind;
using enum OptionOrigin;

constexpr std::string_view kNoPrompt =
    "there is no prompt; name an output, such as --text or --collapsed";
constexpr std::string_view kNoViewer =
    "heapprof starts no viewer; write a picture with --svg or --pdf and open "
    "that";
constexpr std::string_view kNoContention =
    "heapprof reads heap profiles; use pprof for contention profiles";
constexpr std::string_view kNoSelfTest =
    "it ran a self-test of jeprof; heapprof's tests run with ctest";

constexpr OptionSpec kTable[] = {
    // jeprof 5.3.0. Frozen: one more name here makes a prefix of today
    // ambiguous tomorrow.
    {"help", kSwitch, kJeprof},
    {"version", kSwitch, kJeprof},
    {"cum", kSwitch, kJeprof},
    {"base", kString, kJeprof},
    {"seconds", kInteger, kJeprof,
     "heapprof reads files; fetch the profile first, for example with curl"},
    {"add_lib", kString, kJeprof},
    {"lib_prefix", kString, kJeprof},
    {"functions", kSwitch, kJeprof},
    {"lines", kSwitch, kJeprof},
    {"addresses", kSwitch, kJeprof},
    {"files", kSwitch, kJeprof},
    {"text", kSwitch, kJeprof},
    {"callgrind", kSwitch, kJeprof},
    {"list", kString, kJeprof},
    {"disasm", kString, kJeprof},
    {"symbols", kSwitch, kJeprof},
    {"gv", kSwitch, kJeprof, kNoViewer},
    {"evince", kSwitch, kJeprof, kNoViewer},
    {"web", kSwitch, kJeprof, kNoViewer},
    {"dot", kSwitch, kJeprof},
    {"ps", kSwitch, kJeprof},
    {"pdf", kSwitch, kJeprof},
    {"svg", kSwitch, kJeprof},
    {"gif", kSwitch, kJeprof},
    {"raw", kSwitch, kJeprof},
    {"collapsed", kSwitch, kJeprof},
    {"interactive", kSwitch, kJeprof, kNoPrompt},
    {"nodecount", kInteger, kJeprof},
    {"nodefraction", kFloat, kJeprof},
    {"edgefraction", kFloat, kJeprof},
    {"maxdegree", kInteger, kJeprof},
    {"focus", kString, kJeprof},
    {"thread", kString, kJeprof},
    {"ignore", kString, kJeprof},
    {"scale", kInteger, kJeprof},
    {"heapcheck", kPlainSwitch, kJeprof},
    {"retain", kString, kJeprof},
    {"exclude", kString, kJeprof},
    {"inuse_space", kSwitch, kJeprof},
    {"inuse_objects", kSwitch, kJeprof},
    {"alloc_space", kSwitch, kJeprof},
    {"alloc_objects", kSwitch, kJeprof},
    {"show_bytes", kSwitch, kJeprof},
    {"drop_negative", kSwitch, kJeprof},
    {"total_delay", kSwitch, kJeprof, kNoContention},
    {"contentions", kSwitch, kJeprof, kNoContention},
    {"mean_delay", kSwitch, kJeprof, kNoContention},
    {"tools", kString, kJeprof},
    {"test", kSwitch, kJeprof, kNoSelfTest},
    {"debug", kSwitch, kJeprof, {}, "verbose"},
    {"debug-syms-by-id", kSwitch, kJeprof},
    {"test_stride", kInteger, kJeprof, kNoSelfTest},

    // heapprof's own.
    {"overview", kSwitch, kHeapprof},
    {"proto", kSwitch, kHeapprof},
    {"pprof", kSwitch, kHeapprof, {}, "proto"},
    {"modules", kSwitch, kHeapprof},
    {"png", kSwitch, kHeapprof},
    {"tree", kSwitch, kHeapprof},
    {"peek", kString, kHeapprof},
    {"source-path", kString, kHeapprof},
    {"traces", kSwitch, kHeapprof},
    {"threads", kSwitch, kHeapprof},
    {"top", kInteger, kHeapprof},
    {"json", kSwitch, kHeapprof},
    {"names", kString, kHeapprof},
    {"callers", kString, kHeapprof},
    {"callees", kString, kHeapprof},
    {"two-column", kSwitch, kHeapprof},
    {"module", kString, kHeapprof},
    {"show_from", kString, kHeapprof},
    {"prune_from", kString, kHeapprof},
    {"hide", kString, kHeapprof},
    {"own", kString, kHeapprof},
    {"inlines", kSwitch, kHeapprof},
    {"allocator-frames", kSwitch, kHeapprof},
    {"output", kString, kHeapprof},
    {"o", kString, kHeapprof, {}, "output"},
    {"force", kSwitch, kHeapprof},
    {"maps", kString, kHeapprof},
    {"load-base", kString, kHeapprof},
    {"perf-map", kString, kHeapprof},
    {"symbol-path", kString, kHeapprof},
    {"path-map", kString, kHeapprof},
    {"sysroot", kString, kHeapprof},
    {"debug-dir", kString, kHeapprof},
    {"debuginfod", kSwitch, kHeapprof},
    {"jobs", kInteger, kHeapprof},
    {"cache", kSwitch, kHeapprof},
    {"cache-dir", kString, kHeapprof},
    {"cache-size", kString, kHeapprof},
    {"resymbolize", kSwitch, kHeapprof},
    {"pprof-addr", kString, kHeapprof},
    {"sample-period", kInteger, kHeapprof},
    {"color", kString, kHeapprof},
    {"quiet", kSwitch, kHeapprof},
    {"verbose", kSwitch, kHeapprof},
};

}  // namespace

std::span<const OptionSpec> OptionTable() { return kTable; }

}  // namespace heapprof
