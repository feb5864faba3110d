// SPDX-License-Identifier: Apache-2.0
#include "cli/system/environment.h"

#include <unistd.h>

#include <cstdlib>

namespace heapprof {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::vector<std::string> Environment() {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    variables.emplace_back(*entry);
  return variables;
}

std::string ProgramSearchPath() {
  const std::string path = Variable("PATH");
  return path.empty() ? "/usr/local/bin:/usr/bin:/bin" : path;
}

std::string LibrarySearchPath() { return Variable("LD_LIBRARY_PATH"); }

std::string DebuginfodUrls() { return Variable("DEBUGINFOD_URLS"); }

std::string UserCacheDirectory() {
  // The XDG specification requires relative paths to be ignored.
  if (std::string xdg = Variable("XDG_CACHE_HOME"); xdg.starts_with('/'))
    return xdg;
  const std::string home = Variable("HOME");
  return home.starts_with('/') ? home + "/.cache" : "";
}

std::string JeprofTools() { return Variable("JEPROF_TOOLS"); }

DebuginfodEnvironment ReadDebuginfodEnvironment() {
  return {.cache_path = Variable("DEBUGINFOD_CACHE_PATH"),
          .xdg_cache_home = Variable("XDG_CACHE_HOME"),
          .home = Variable("HOME")};
}

bool WantsColor() {
  const std::string terminal = Variable("TERM");
  return Variable("NO_COLOR").empty() && !terminal.empty() &&
         terminal != "dumb";
}

bool UsesUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = Variable(name);
    if (locale.empty()) continue;
    for (const char* codeset : {"UTF-8", "utf-8", "UTF8", "utf8"})
      if (locale.find(codeset) != locale.npos) return true;
    return false;
  }
  return false;
}

}  // namespace heapprof
