// SPDX-License-Identifier: Apache-2.0
//
// Shortens names to fit the rest of a terminal's line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// True if lines of `width` characters (0 = no limit) have no room for all
// columns of a wide table and for names. Such a table then leaves something
// out.
constexpr bool IsNarrow(size_t width) {
  constexpr size_t kNarrow = 100;
  return width != 0 && width < kNarrow;
}

// Returns `name`, at most `columns` wide. Leaves out the first parts of a
// qualified name, because the last ones say most: "ceph::Log::write" becomes
// "…::Log::write", "Lo…::write" or "write". A longer part is cut in the middle.
// Arguments are shortened first, and " (inline)" stays whole or goes.
std::string FitFunction(std::string_view name, size_t columns);

// Tables leave out columns so that names get this many characters.
inline constexpr size_t kReadableName = 20;
// Even on the narrowest terminal, names get this many characters.
inline constexpr size_t kNarrowestName = 12;

// Returns `name` without control characters, shortened to fit into a line of
// `width` characters of which `used` are taken already. If `width` is 0, the
// name is not shortened. It keeps at least kNarrowestName characters.
std::string FitName(std::string_view name, size_t used, size_t width);

// Returns `path` or, if it is wider than `columns`, its end after as few of the
// outer folders as possible: "…/b.cc". Never cuts the name of the file. If
// `columns` is 0, the path is not shortened.
std::string FitPath(std::string_view path, size_t columns);

// As FitName(), for a name and a place, "f() src/a/b.cc:12". First drops outer
// folders of the place, "f() …/b.cc:12". Cuts the name of the file only if the
// other name would have less than kNarrowestName characters.
std::string FitNameAndPlace(std::string_view name_and_place, size_t used,
                            size_t width);

// A name in a line of which `used` characters are taken already.
struct NameInLine {
  std::string_view name;
  size_t used = 0;
};

// Shortens the names of a table, in lines of `width` characters, with `fit`.
// Different names stay different: if they would become equal, each one shows
// the part in which it differs.
std::vector<std::string> FitNames(std::span<const NameInLine> names,
                                  size_t width,
                                  decltype(FitName)* fit = FitName);

// Appends its name, shortened as by FitNames(), to each line of a table.
void AppendNames(std::span<const std::string> names, size_t width,
                 std::vector<std::string>& lines);

}  // namespace heapprof
