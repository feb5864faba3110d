// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/freed_memory.h"

#include <string>
#include <utility>

#include <fmt/core.h>

#include "heapprof/record/dump_name.h"
#include "heapprof/view/next_to_nothing.h"

namespace heapprof {

void NoteFreedMemory(const Profile& profile, std::string_view dump,
                     const Options& options, Diagnostics& diagnostics) {
  const auto name = ParseDumpName(dump);
  if (!name || !options.bases.empty()) return;
  const char kind = name->kind;
  if ((kind != 'f' && kind != 'r') ||
      !HoldsNextToNothing(profile, options.metric))
    return;
  std::string note =
      kind == 'f'
          ? "this final dump holds next to nothing: it was written after "
            "the program had freed its memory; "
          : "this dump holds next to nothing; ";
  if (name->sequence != 0)
    note += "an earlier dump of the process may hold more";
  else if (kind == 'f')
    note +=
        "'heapprof record' dumps before (a stripped program: with --every "
        "30s)";
  else
    note +=
        options.record.recording.every_ms != 0
            ? "if the program frees its memory before it ends, dump more often"
            : "if the program frees its memory before it ends, use 'heapprof "
              "record --every 30s'";
  if (kind == 'r') {
    if (const auto rate = RateForSmall(profile); !rate.empty())
      note += fmt::format("; if the process is small, {} shows more", rate);
    note += options.record.recording.children
                ? "; if a child still runs, 'heapprof dump PID' shows what it "
                  "holds"
                : "; if its children hold it, use --children";
    note +=
        "; if it maps memory itself, --rss shows how much; see 'heapprof help "
        "recording'";
  }
  diagnostics.Note(std::move(note));
}

}  // namespace heapprof
