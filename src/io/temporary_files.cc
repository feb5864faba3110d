// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/temporary_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace heapprof {
namespace {

// A signal handler can take a path at any moment, and whoever takes a path out
// of its place owns it. Only others than signal handlers need the mutex.
std::array<std::atomic<char*>, 64> paths = {};
std::mutex paths_mutex;

}  // namespace

void NoteTemporaryFile(const std::string& path) {
  const std::scoped_lock lock(paths_mutex);
  for (std::atomic<char*>& place : paths) {
    if (place != nullptr) continue;
    place = strdup(path.c_str());
    return;
  }
}

void ForgetTemporaryFile(const std::string& path) {
  const std::scoped_lock lock(paths_mutex);
  for (std::atomic<char*>& place : paths) {
    char* noted = place;
    if (noted == nullptr || path != noted) continue;
    if (place.compare_exchange_strong(noted, nullptr)) std::free(noted);
    return;
  }
}

// The paths are not freed, because that is not allowed in a signal handler.
void RemoveTemporaryFiles() {
  for (std::atomic<char*>& place : paths)
    if (const char* path = place.exchange(nullptr)) unlink(path);
}

}  // namespace heapprof
