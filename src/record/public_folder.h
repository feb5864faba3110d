// SPDX-License-Identifier: Apache-2.0
//
// The files of `heapprof record` for programs of other users. Its memory files
// can be opened only by programs of the user who runs it, but a start script of
// root runs the server as another one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heapprof/record/recording_plan.h"

namespace heapprof {

// A new folder in /tmp, which exists as long as this object.
class PublicFolder {
 public:
  // `library` is the library that is preloaded.
  explicit PublicFolder(std::string_view library);
  PublicFolder(const PublicFolder&) = delete;
  PublicFolder& operator=(const PublicFolder&) = delete;
  ~PublicFolder();

  // Nothing if there is no place from which programs can load a library.
  const std::optional<RecorderFiles>& files() const { return files_; }

 private:
  bool Create(const std::string& parent, std::string_view library);
  void Remove();

  std::string path_;  // empty: none
  std::optional<RecorderFiles> files_;
};

}  // namespace heapprof
