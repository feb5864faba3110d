// SPDX-License-Identifier: Apache-2.0
//
// usage: heapprof_manual DIR DATE
//
// Writes what is installed beside heapprof and made from its tables: the manual
// pages, and the scripts that complete arguments in shells.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "cli/args/command_table.h"
#include "cli/completion/scripts.h"
#include "cli/manual/man_pages.h"

namespace fs = std::filesystem;

namespace heapprof {
namespace {

bool Write(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) fmt::print(stderr, "{}: cannot be written\n", path.string());
  return file.good();
}

bool WriteManual(const fs::path& folder, std::string_view date) {
  bool is_written = true;
  for (const CommandSpec& command : kCommands)
    if (HasManPage(command))
      is_written &= Write(folder / "man1" / (ManPageName(command) + ".1"),
                          ManPage(command, date));
  for (const CompletionScript& script : kCompletionScripts)
    is_written &= Write(folder / script.shell / script.file, script.make());
  return is_written;
}

}  // namespace
}  // namespace heapprof

int main(int argc, char** argv) {
  if (argc == 3) return heapprof::WriteManual(argv[1], argv[2]) ? 0 : 1;
  fmt::print(stderr, "usage: heapprof_manual DIR DATE\n");
  return 2;
}
