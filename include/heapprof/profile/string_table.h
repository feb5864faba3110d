// SPDX-License-Identifier: Apache-2.0
//
// Interned strings. An id stands for a string; equal strings have equal ids.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "heapprof/base/id.h"
#include "heapprof/base/id_table.h"

namespace heapprof {

class TextStore;

using StringId = Id<struct StringTag>;

// Id 0 is "". A view returned by Get() stays valid when the table grows or
// moves.
class StringTable {
 public:
  StringTable();
  StringTable(const StringTable& other);
  StringTable(StringTable&& other) noexcept;
  StringTable& operator=(StringTable&& other) noexcept;
  ~StringTable();

  StringId Intern(std::string_view text);
  // Like Intern(), but does not copy the text. Its memory must belong to a
  // TextStore that is passed to Adopt().
  StringId InternAdopted(std::string_view text);
  void Adopt(TextStore texts);
  // Makes room for `count` more strings.
  void Reserve(size_t count);
  std::string_view Get(StringId id) const { return strings_[id.index()]; }
  size_t size() const { return strings_.size(); }

 private:
  StringId Add(std::string_view text, bool is_adopted);

  // Null until the first text is copied or adopted, and after a move.
  std::unique_ptr<TextStore> texts_;
  std::vector<std::string_view> strings_{""};
  IdTable index_;
};

}  // namespace heapprof
