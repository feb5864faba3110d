// SPDX-License-Identifier: Apache-2.0
//
// The file that dwz moved DIEs of a debug file to, where its link says.
#pragma once

#include <filesystem>
#include <optional>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Nothing if there is no link or no such file.
inline std::optional<ElfImage> OpenAlternate(const ElfImage& debug) {
  if (!debug.alternate_link()) return std::nullopt;
  const std::filesystem::path folder =
      std::filesystem::path(debug.path()).parent_path();
  auto image = ElfImage::Open(folder / debug.alternate_link()->path);
  if (!image) return std::nullopt;
  return std::move(*image);
}

inline const ElfImage* PointerTo(const std::optional<ElfImage>& image) {
  return image ? &*image : nullptr;
}

}  // namespace heapprof
