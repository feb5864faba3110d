// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/compact_names.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "heapprof/demangle/shown_names.h"

namespace heapprof {
namespace {

// Returns false if `form` is no part of what the forms already have.
bool AddPart(std::string_view name, std::string_view form,
             CompactNames& forms) {
  for (size_t text = 0; text <= forms.more.size(); ++text) {
    const std::string_view whole = text == 0 ? name : forms.more[text - 1];
    const size_t start = whole.find(form);
    if (start == whole.npos) continue;
    forms.parts.push_back({text, start, form.size()});
    return true;
  }
  return false;
}

}  // namespace

CompactNames CompactShownNames(std::string_view name,
                               std::string_view short_name) {
  std::vector<std::string> shown = ShownNames(name);
  // Others are parts of the longest ones.
  std::ranges::stable_sort(shown, std::ranges::greater(), &std::string::size);
  CompactNames forms;
  for (std::string& form : shown)
    if (form != name && form != short_name && !AddPart(name, form, forms))
      forms.more.push_back(std::move(form));
  return forms;
}

}  // namespace heapprof
