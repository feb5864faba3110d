// SPDX-License-Identifier: Apache-2.0
//
// The sentences that are printed to standard error, mostly after a report.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "cli/system/terminal.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/prepare_profile.h"
#include "heapprof/view/module_table.h"

namespace heapprof {

struct CoverageStyle {
  size_t columns = 0;          // width of the line; 0 = no limit
  bool is_comparison = false;  // the report is a comparison
  bool is_verbose = false;     // also mentions small shares
};

// Returns "2.1% of bytes have no names: libfoo.so.1 has no debug information (2
// more modules; see heapprof info)", or a shorter form that fits the line.
// Returns an empty string if names are missing for less than 1 % or, with
// is_verbose, for nothing.
std::string CoverageSummary(const ModuleTable& modules,
                            const CoverageStyle& style);

// Warns that names may be wrong in a module, because addresses do not fit its
// file, or because nothing shows whether they do. Each warning is about the
// largest such module that has at least 1 % of the total or is the program.
void WarnOfDoubtfulNames(const ModuleTable& modules, Diagnostics& diagnostics);

// Says how much of the sides of a comparison has no names and therefore matches
// nothing; empty if it is less than 1 % of both.
std::string NamelessText(const Sides<double>& nameless,
                         const Sides<double>& totals, Unit unit);

// Says why `profile`, which was prepared with the result `stacks`, has nothing
// to show.
std::string EmptyReason(const PreparedStacks& stacks, const Profile& profile,
                        const Options& options);

// Returns one line that says what the filters did; empty without filters.
std::string FilterSummary(const std::vector<FilterEffect>& effects, Unit unit,
                          bool is_comparison = false);

// Explains "f@401000", the names of functions with one short name, if `report`
// has such names. Returns whether it has.
bool NoteTags(std::string_view report, Diagnostics& diagnostics);

// Returns the first `most` of `messages`, which are of one kind. The last one
// says how many of `count` are left out.
std::vector<std::string> FirstOfKind(std::span<const std::string> messages,
                                     size_t count, size_t most);

// Returns the warnings, one per line: all messages that `diagnostics` has kept
// or, unless `all` is true, only the first of each kind. The last line of each
// kind says how many messages of this kind are left out.
std::vector<std::string> Warnings(const Diagnostics& diagnostics, bool all);

// Returns "heapprof: MESSAGE" in lines that fit standard error, if it is a
// terminal. They have no control characters, because names in messages come
// from dumps and binaries and could contain escape sequences for the terminal.
std::string MessageText(std::string_view message);

// Returns how many lines the messages so far take on a terminal with so many
// columns.
size_t LinesOfMessages(const Diagnostics& diagnostics, const Options& options,
                       size_t columns);

// Returns the style of standard output, with fewer rows if the messages so far
// and the last one, which is not among them yet and may be empty, take more
// than the one line that layouts leave for them.
TerminalStyle StyleWithMessages(const Options& options,
                                const Diagnostics& diagnostics,
                                std::string_view last_message = {});

}  // namespace heapprof
