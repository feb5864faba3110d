// SPDX-License-Identifier: Apache-2.0
#include "report/fit_name.h"

#include <algorithm>

#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"

namespace heapprof {
namespace {

// Even on the narrowest terminal, names get this many characters.
constexpr size_t kNarrowestName = 24;

// Returns `path`, or its end after as few of the outer folders as possible:
// with "…", at most `columns` wide, unless the name of the file is wider.
std::string WithoutOuterFolders(std::string_view path, size_t columns) {
  if (Columns(path) <= columns) return std::string(path);
  std::string_view rest = path;
  for (size_t slash = path.find('/', 1); slash != path.npos;
       slash = path.find('/', slash + 1)) {
    rest = path.substr(slash);
    if (Columns(rest) + 1 <= columns) break;
  }
  return rest.size() == path.size() ? std::string(path)
                                    : "…" + std::string(rest);
}

}  // namespace

std::string FitPath(std::string_view path, size_t columns) {
  const std::string text = Printable(path);
  return columns == 0 ? text : WithoutOuterFolders(text, columns);
}

std::string FitName(std::string_view name, size_t used, size_t width) {
  std::string text = Printable(name);
  if (width == 0) return text;
  return Shortened(text,
                   std::max(kNarrowestName, width - std::min(used, width)));
}

std::string FitNameAndPlace(std::string_view name_and_place, size_t used,
                            size_t width) {
  const std::string text = Printable(name_and_place);
  const size_t end = text.rfind(' ');
  if (width == 0 || end == text.npos || Columns(text) + used <= width)
    return FitName(text, used, width);
  const std::string_view name = std::string_view(text).substr(0, end);
  const std::string_view place = std::string_view(text).substr(end + 1);
  const size_t room = width - std::min(width, used);
  const size_t for_place = room - std::min(room, Columns(name) + 1);
  const std::string fitted = WithoutOuterFolders(place, for_place);
  constexpr size_t kNarrowestBesidePlace = 12;
  const size_t for_name = room - std::min(room, Columns(fitted) + 1);
  return Shortened(name, std::max(kNarrowestBesidePlace, for_name)) + ' ' +
         fitted;
}

}  // namespace heapprof
