// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/split_files.h"

#include <array>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/part_of.h"

namespace heapprof {
namespace {

constexpr std::array<std::string_view, 2> kIndexNames = {".debug_cu_index",
                                                         ".debug_tu_index"};

void Replace(std::span<const uint8_t>& section, std::span<const uint8_t> by) {
  if (!by.empty()) section = by;
}

}  // namespace

std::unique_ptr<SplitFile> SplitFile::Open(const std::string& path,
                                           std::string& problem) {
  auto image = ElfImage::Open(path);
  if (!image) {
    if (image.error().kind != ErrorKind::kIo) problem = image.error().message;
    return nullptr;
  }
  std::unique_ptr<SplitFile> file(new SplitFile(std::move(*image)));
  file->sections_ = LoadSplitSections(file->image_);
  for (const std::string& damage : file->sections_.problems)
    problem = fmt::format("{}: {}", path, damage);
  if (!problem.empty()) return nullptr;
  if (file->image_.HasSection(kIndexNames[0])) {
    file->index_sections_ = LoadSections(file->image_, kIndexNames, 1);
    file->index_ = PackageIndex::Read(file->index_sections_[0].bytes);
    file->type_index_ = PackageIndex::Read(file->index_sections_[1].bytes);
    if (!file->index_) {
      problem = fmt::format("{}: section .debug_cu_index is damaged", path);
      return nullptr;
    }
  }
  if (!file->index_ || file->type_index_)
    file->types_ = std::make_unique<TypeUnits>(
        file->sections_, file->image_,
        file->type_index_ ? &*file->type_index_ : nullptr);
  return file;
}

bool SplitFile::SelectUnit(uint64_t unit_id, DebugSections& sections) const {
  if (index_ && !index_->Contains(unit_id)) return false;
  const auto part_of = [&](std::span<const uint8_t> section,
                           PackageSection kind) {
    if (!index_) return section;
    const auto [offset, size] = index_->Find(unit_id, kind);
    return PartOf(section, offset, size);
  };
  sections.info = part_of(sections_.info, PackageSection::kInfo);
  sections.abbreviations =
      part_of(sections_.abbreviations, PackageSection::kAbbreviations);
  sections.string_offsets =
      part_of(sections_.string_offsets, PackageSection::kStringOffsets);
  sections.strings = sections_.strings;
  Replace(sections.range_lists,
          part_of(sections_.range_lists, PackageSection::kRangeLists));
  return true;
}

std::string SplitFile::Identity() const {
  const FileStamp& stamp = image_.stamp();
  return fmt::format("size {} modified {} changed {}", stamp.size,
                     stamp.modified, stamp.changed);
}

std::string SplitFile::LocationOf(uint64_t unit_id) const {
  if (!index_) return fmt::format("{:x}", unit_id);
  const auto [offset, size] = index_->Find(unit_id, PackageSection::kInfo);
  return fmt::format("{:x} at {} size {}", unit_id, offset, size);
}

SplitFile* SplitUnits::OpenOnce(const std::string& path, std::string& problem) {
  auto [at, is_new] = files_.try_emplace(path);
  Opened& opened = at->second;
  if (is_new) opened.file = SplitFile::Open(path, opened.problem);
  if (!opened.problem.empty()) problem = opened.problem;
  return opened.file.get();
}

bool SplitUnits::Read(SplitFile& file, const CompilationUnit& skeleton,
                      SplitUnit& unit) const {
  DebugSections& sections = unit.sections;
  sections.line = main_.line;
  sections.line_strings = main_.line_strings;
  sections.addresses = main_.addresses;
  sections.range_lists = main_.range_lists;
  // In DWARF 4, the offsets of range lists are relative to the base that the
  // skeleton unit records (DW_AT_GNU_ranges_base).
  sections.ranges =
      PartOf(main_.ranges, skeleton.split->ranges_base, main_.ranges.size());
  if (!file.SelectUnit(skeleton.id, sections)) return false;
  unit.store = std::make_unique<UnitStore>(sections, binary_, 1, &skeleton);
  unit.store->SetTypeUnits(file.types());
  if (!unit.store->problem().empty()) unit.problem = unit.store->problem();
  return unit.store->problem().empty();
}

std::vector<std::string> SplitUnits::CandidatePaths(
    const CompilationUnit& skeleton) const {
  std::vector<std::string> paths = search_.packages;
  if (search_.candidates)
    for (std::string& path :
         search_.candidates(skeleton.directory, skeleton.split->name))
      paths.push_back(std::move(path));
  return paths;
}

void SplitUnits::Search(const CompilationUnit& skeleton, SplitUnit& unit) {
  for (const std::string& path : CandidatePaths(skeleton)) {
    SplitFile* file = OpenOnce(path, unit.problem);
    if (file != nullptr && Read(*file, skeleton, unit)) {
      unit.problem.clear();
      unit.file = file;
      return;
    }
    if (!unit.problem.empty() && !unit.problem.starts_with(path))
      unit.problem = fmt::format("{}: {}", path, unit.problem);
  }
  unit.store = nullptr;
}

std::vector<TriedFile> SplitUnits::TriedFor(
    const CompilationUnit& skeleton) const {
  std::vector<TriedFile> tried;
  for (std::string& path : CandidatePaths(skeleton)) {
    std::string outcome = OutcomeOf(path);
    tried.push_back({std::move(path), std::move(outcome)});
  }
  return tried;
}

std::string SplitUnits::OutcomeOf(const std::string& path) const {
  const Opened& opened = files_.at(path);
  if (!opened.problem.empty()) return "cannot be read";
  return opened.file == nullptr ? "not found" : "holds other units";
}

SplitUnit& SplitUnits::Find(const CompilationUnit& skeleton) {
  auto [at, is_new] = units_.try_emplace(skeleton.offset);
  if (is_new) Search(skeleton, at->second);
  return at->second;
}

}  // namespace heapprof
