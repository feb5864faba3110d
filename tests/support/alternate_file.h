// SPDX-License-Identifier: Apache-2.0
//
// Finds the file to which dwz has moved DIEs of a debug file.
#pragma once

#include <filesystem>
#include <optional>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Opens the file that the link of `debug` names. Returns nothing if there is no
// link or no such file.
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
