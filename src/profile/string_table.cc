// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/string_table.h"

#include <cstdint>
#include <span>
#include <utility>

#include "heapprof/base/hash.h"
#include "heapprof/base/text_store.h"

namespace heapprof {

StringTable::StringTable() = default;
StringTable::StringTable(StringTable&& other) noexcept = default;
StringTable& StringTable::operator=(StringTable&& other) noexcept = default;
StringTable::~StringTable() = default;

// Copies the texts, too, because the views in `other` point into its own store.
StringTable::StringTable(const StringTable& other)
    : texts_(std::make_unique<TextStore>()), index_(other.index_) {
  strings_.reserve(other.strings_.size());
  for (const std::string_view text : std::span(other.strings_).subspan(1))
    strings_.push_back(texts_->Add(text));
}

void StringTable::Adopt(TextStore texts) {
  if (!texts_) texts_ = std::make_unique<TextStore>();
  texts_->Adopt(std::move(texts));
}

void StringTable::Reserve(size_t count) {
  strings_.reserve(strings_.size() + count);
  index_.Reserve(strings_.size() + count);
}

StringId StringTable::Intern(std::string_view text) { return Add(text, false); }

StringId StringTable::InternAdopted(std::string_view text) {
  return Add(text, true);
}

StringId StringTable::Add(std::string_view text, bool is_adopted) {
  if (text.empty()) return {};
  const uint32_t id =
      index_.FindOrAdd(HashOfText(text), strings_.size(),
                       [&](uint32_t known) { return strings_[known] == text; });
  if (id == strings_.size()) {
    if (!texts_) texts_ = std::make_unique<TextStore>();
    strings_.push_back(is_adopted ? text : texts_->Add(text));
  }
  return {id};
}

}  // namespace heapprof
