// SPDX-License-Identifier: Apache-2.0
//
// The text of malloc_stats_print(): lines "name: value", and tables whose
// columns are found by their headings, because they differ from version to
// version. An arena begins with a line such as "arenas[0]:".
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "explain/stats_fields.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/trimmed.h"
#include "heapprof/io/line_cursor.h"

namespace heapprof {
namespace {

constexpr std::string_view kBegin = "___ Begin jemalloc statistics ___";
constexpr std::string_view kEnd = "--- End jemalloc statistics ---";

// Returns the number at the beginning of `text`, which a blank, a comma or
// nothing may follow.
template <typename Number>
std::optional<Number> LeadingNumber(std::string_view text) {
  Number number = 0;
  text = Trimmed(text);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || (stop != end && *stop != ' ' && *stop != ','))
    return std::nullopt;
  return number;
}

std::vector<std::string_view> WordsIn(std::string_view line) {
  std::vector<std::string_view> words;
  size_t at = 0;
  while ((at = line.find_first_not_of(' ', at)) != line.npos) {
    const size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// The headings of a table.
class Columns {
 public:
  Columns() = default;
  // `header` begins with a word that belongs to no column: "bins:".
  explicit Columns(std::string_view header) {
    for (const std::string_view word : WordsIn(header)) {
      names_.emplace_back(word);
      ends_.push_back(
          static_cast<size_t>(word.data() + word.size() - header.data()));
    }
    if (names_.empty()) return;
    names_.erase(names_.begin());
  }

  bool Has(std::string_view name) const {
    return std::ranges::find(names_, name) != names_.end();
  }

  // Divides a row into cells. Large numbers may touch, so that words are no
  // cells, but then the row is as wide as the header. Returns false for a row
  // that cannot be divided.
  bool Divide(std::string_view row,
              std::vector<std::string_view>& cells) const {
    cells = WordsIn(row);
    if (cells.size() == names_.size()) return true;
    if (names_.empty() ||
        row.substr(0, row.find_last_not_of(' ') + 1).size() != ends_.back())
      return false;
    cells.resize(names_.size());
    for (size_t i = 0; i < names_.size(); ++i)
      cells[i] = Trimmed(row.substr(ends_[i], ends_[i + 1] - ends_[i]));
    return true;
  }

  // Returns the number in the first of these columns that exists.
  std::optional<uint64_t> Number(
      const std::vector<std::string_view>& cells,
      std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const auto found = std::ranges::find(names_, name);
      if (found != names_.end())
        return LeadingNumber<uint64_t>(
            cells[static_cast<size_t>(found - names_.begin())]);
    }
    return std::nullopt;
  }

 private:
  std::vector<std::string> names_;
  std::vector<size_t> ends_;  // of the first word and of each name
};

class TextReader {
 public:
  TextReader(std::string_view text, const std::string& name)
      : cursor_(text), name_(name) {}

  Result<AllocatorStats> Read();

 private:
  enum class Table : uint8_t { kNone, kSmall, kLarge, kOther };

  bool BeginArena(std::string_view line);
  bool BeginTable(std::string_view line);
  Result<void> ReadRow(std::string_view line);
  void ReadValue(std::string_view line);
  void ReadOption(std::string_view name, std::string_view value);
  void ReadSums(std::string_view line);
  void ReadDecay(bool is_dirty, std::string_view numbers);
  void ReadArenaValue(std::string_view name, std::string_view value);

  LineCursor cursor_;
  const std::string& name_;
  AllocatorStats stats_;
  ArenaStats destroyed_;            // read, but not kept
  std::vector<ArenaStats> merged_;  // none or one
  ArenaStats* arena_ = nullptr;     // that the lines are about
  Table table_ = Table::kNone;
  Columns columns_;
};

bool TextReader::BeginArena(std::string_view line) {
  constexpr std::string_view kArena = "arenas[";
  if (line.starts_with("Merged arenas stats:")) {
    merged_.assign(1, {});
    arena_ = &merged_.front();
    return true;
  }
  if (line.starts_with("Destroyed arenas stats:")) {
    arena_ = &destroyed_;
    return true;
  }
  if (!line.starts_with(kArena) || stats_.arenas.size() >= kMostArenas)
    return false;
  const size_t close = line.find(']');
  const auto number = close == line.npos
                          ? std::nullopt
                          : LeadingNumber<uint64_t>(line.substr(
                                kArena.size(), close - kArena.size()));
  if (!number) return false;
  arena_ = &stats_.arenas.emplace_back(*number, ArenaStats()).second;
  return true;
}

// Tables begin with their name and a heading: "bins:           size ind ...".
bool TextReader::BeginTable(std::string_view line) {
  const size_t colon = line.find(':');
  if (arena_ == nullptr || colon == line.npos || line.starts_with(' '))
    return false;
  Columns columns(line);
  if (!columns.Has("size")) return false;
  const std::string_view name = line.substr(0, colon);
  table_ = name == "bins"                      ? Table::kSmall
           : name == "large" || name == "huge" ? Table::kLarge
                                               : Table::kOther;
  if (table_ == Table::kSmall) arena_->small.emplace();
  if (table_ == Table::kLarge && !arena_->large) arena_->large.emplace();
  columns_ = std::move(columns);
  return true;
}

Result<void> TextReader::ReadRow(std::string_view line) {
  if (table_ == Table::kOther || Trimmed(line) == "---") return {};
  std::vector<std::string_view> cells;
  const bool is_divided = columns_.Divide(line, cells);
  std::optional<uint64_t> size, regions, slabs, per_slab, extents;
  if (is_divided) {
    size = columns_.Number(cells, {"size"});
    regions = columns_.Number(cells, {"curregs"});
    slabs = columns_.Number(cells, {"curslabs", "curruns"});
    per_slab = columns_.Number(cells, {"regs"});
    extents = columns_.Number(cells, {"curlextents", "curruns", "curhchunks"});
  }
  const size_t rows =
      table_ == Table::kSmall ? arena_->small->size() : arena_->large->size();
  if (rows >= kMostClasses) size.reset();
  if (table_ == Table::kSmall && size && regions && slabs && per_slab) {
    arena_->small->push_back({*size, *per_slab, *regions, *slabs,
                              columns_.Number(cells, {"prof_live_count"})});
    return {};
  }
  if (table_ == Table::kLarge && size && extents) {
    arena_->large->push_back({*size, *extents});
    return {};
  }
  return Fail(
      ErrorKind::kBadFormat,
      fmt::format("{}:{}: expected a row of the table of {} objects, "
                  "found '{:.60}'",
                  name_, cursor_.line_number(),
                  table_ == Table::kSmall ? "small" : "large", Trimmed(line)));
}

void TextReader::ReadOption(std::string_view name, std::string_view value) {
  if (value.starts_with("true") || value.starts_with("false"))
    SetField(kOptionFields, name, value.starts_with("true"), stats_);
  if (name == "narenas") stats_.arena_limit = LeadingNumber<uint64_t>(value);
  if (name == "lg_prof_sample" && !stats_.lg_sample)
    stats_.lg_sample = LeadingNumber<uint64_t>(value);
  // 5.0 does not print their number.
  if (name == "background_thread" && !stats_.background_threads &&
      value.ends_with("(background_thread: false)"))
    stats_.background_threads = 0;
  constexpr std::string_view kCurrent = "(arenas.dirty_decay_ms: ";
  if (const size_t at = value.find(kCurrent);
      name == "dirty_decay_ms" && at != value.npos)
    stats_.dirty_decay_ms = LeadingNumber<int64_t>(value.substr(
        at + kCurrent.size(), value.find(')', at) - at - kCurrent.size()));
}

// Reads "Allocated: 1, active: 2, metadata: 3 (n_thp 0), resident: 4, ...".
void TextReader::ReadSums(std::string_view line) {
  while (!line.empty()) {
    const size_t comma = std::min(line.find(','), line.size());
    const std::string_view part = Trimmed(line.substr(0, comma));
    line.remove_prefix(std::min(comma + 1, line.size()));
    const size_t colon = part.find(": ");
    if (colon == part.npos) continue;
    std::string_view name = part.substr(0, colon);
    if (name == "Allocated") name = "allocated";
    if (const auto number = LeadingNumber<uint64_t>(part.substr(colon + 2)))
      SetField(kProcessFields, name, *number, stats_);
  }
}

// Reads "dirty:  TIME  PAGES ...", where TIME is N/A in sums, and may touch the
// colon.
void TextReader::ReadDecay(bool is_dirty, std::string_view numbers) {
  const std::vector<std::string_view> words = WordsIn(numbers);
  if (words.size() < 2) return;
  const int64_t time = LeadingNumber<int64_t>(words[0]).value_or(-1);
  (is_dirty ? arena_->dirty_decay_ms : arena_->muzzy_decay_ms) = time;
  (is_dirty ? arena_->dirty_pages : arena_->muzzy_pages) =
      LeadingNumber<uint64_t>(words[1]);
}

void TextReader::ReadArenaValue(std::string_view name, std::string_view value) {
  const auto number = LeadingNumber<uint64_t>(value);
  // Rows about mutexes have the names of other numbers in 5.0.
  if (!number || WordsIn(value).size() != 1) return;
  SetField(kArenaFields, name, *number, *arena_);
  if (name == "active" && stats_.page_size.value_or(0) != 0)
    arena_->active_pages = *number / *stats_.page_size;
}

void TextReader::ReadValue(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == line.npos) return;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = Trimmed(line.substr(colon + 1));
  constexpr std::string_view kOption = "opt.", kBuild = "config.";
  constexpr std::string_view kPurging = "dirty: ";
  if (arena_ != nullptr && name == "purging" && value.starts_with(kPurging))
    arena_->dirty_pages =
        LeadingNumber<uint64_t>(value.substr(kPurging.size()));  // 4.x
  else if (arena_ != nullptr)
    name == "dirty" || name == "muzzy" ? ReadDecay(name == "dirty", value)
                                       : ReadArenaValue(name, value);
  else if (name.starts_with(kOption))
    ReadOption(name.substr(kOption.size()), value);
  else if (name.starts_with(kBuild))
    SetBuildField(name.substr(kBuild.size()), value == "true", stats_);
  else if (name == "prof.lg_sample")
    stats_.lg_sample = LeadingNumber<uint64_t>(value);
  else if (name == "Page size")
    stats_.page_size = LeadingNumber<uint64_t>(value);
  else if (name == "Background threads")
    stats_.background_threads = LeadingNumber<uint64_t>(value);
  else if (name == "Version")
    stats_.version = value.size() >= 2 && value.starts_with('"')
                         ? value.substr(1, value.size() - 2)
                         : value;
  else if (name == "Allocated")
    ReadSums(line);
}

Result<AllocatorStats> TextReader::Read() {
  bool is_complete = false;
  while (const auto next = cursor_.Next()) {
    const std::string_view line = *next;
    if (line.starts_with(kEnd)) {
      is_complete = true;
      break;
    }
    if (BeginArena(line)) {
      table_ = Table::kNone;
      continue;
    }
    if (BeginTable(line)) continue;
    const std::string_view trimmed = Trimmed(line);
    const bool is_row =
        trimmed == "---" || (!trimmed.empty() && IsDigit(trimmed[0]));
    if (table_ != Table::kNone && is_row) {
      if (auto read = ReadRow(line); !read)
        return std::unexpected(read.error());
      continue;
    }
    table_ = Table::kNone;
    ReadValue(trimmed);
  }
  if (!is_complete)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: expected '{}', found the end of the file "
                            "after line {}",
                            name_, kEnd, cursor_.line_number()));
  if (!merged_.empty()) stats_.total = std::move(merged_.front());
  return std::move(stats_);
}

}  // namespace

Result<AllocatorStats> ParseStatsText(std::string_view bytes,
                                      const std::string& name) {
  return TextReader(bytes.substr(bytes.rfind(kBegin)), name).Read();
}

bool LooksLikeAllocatorStats(std::string_view bytes) {
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != bytes.npos &&
         (bytes[first] == '{' || bytes.find(kBegin) != bytes.npos);
}

}  // namespace heapprof
