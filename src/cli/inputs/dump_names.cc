// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/dump_names.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace heapprof {
namespace {

namespace fs = std::filesystem;

bool AllDigits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Removes the part after the last dot from `name` and returns it.
std::string_view PopPart(std::string_view& name) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return {};
  const std::string_view part = name.substr(dot + 1);
  name = name.substr(0, dot);
  return part;
}

// Returns "PREFIX.PID" for a log with the name "PREFIX.PID.SEQ.json", and an
// empty string for other names.
std::string ProcessOfLog(std::string_view path) {
  std::string_view name = WithoutCompressionSuffix(path);
  if (PopPart(name) != "json" || !AllDigits(PopPart(name))) return "";
  const std::string process(name);
  return AllDigits(PopPart(name)) && !name.empty() ? process : "";
}

}  // namespace

std::string_view WithoutCompressionSuffix(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst", ".xz", ".bz2"})
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  return name;
}

std::string ProcessOfDump(const std::string& path) {
  std::string_view name = WithoutCompressionSuffix(path);
  if (PopPart(name) != "heap") return "";
  const std::string_view kind = PopPart(name);
  const bool numbered = !kind.empty() &&
                        std::string_view("iumr").contains(kind[0]) &&
                        AllDigits(kind.substr(1));
  if (kind != "f" && !numbered) return "";
  if (!AllDigits(PopPart(name))) return "";
  std::string process(name);
  if (!AllDigits(PopPart(name)) || name.empty()) return "";
  return process;
}

std::optional<uint64_t> ProcessIdOfDump(const std::string& path) {
  const std::string process = ProcessOfDump(path);
  if (process.empty()) return std::nullopt;
  uint64_t number = 0;
  const char* const end = process.data() + process.size();
  const auto [stop, error] =
      std::from_chars(process.data() + process.rfind('.') + 1, end, number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

uint64_t SequenceOfDump(const std::string& path) {
  const std::string process = ProcessOfDump(path);
  uint64_t number = 0;
  if (process.empty()) return number;
  // ".SEQ" follows the process.
  std::from_chars(path.data() + process.size() + 1, path.data() + path.size(),
                  number);
  return number;
}

char DumpKind(const std::string& path) {
  if (ProcessOfDump(path).empty()) return 0;
  std::string_view name = WithoutCompressionSuffix(path);
  PopPart(name);
  return PopPart(name)[0];
}

std::string DumpBesideLog(const std::string& path) {
  const std::string process = ProcessOfLog(path);
  if (process.empty()) return "";
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  std::string last;
  uint64_t last_number = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end;
       !error && it != end; it.increment(error)) {
    const std::string dump = folder + it->path().filename().string();
    if (ProcessOfDump(dump) != process) continue;
    const uint64_t number = SequenceOfDump(dump);
    if (!last.empty() && number < last_number) continue;
    last = dump;
    last_number = number;
  }
  return last;
}

}  // namespace heapprof
