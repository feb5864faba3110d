// SPDX-License-Identifier: Apache-2.0
//
// For tests that call RemoveTemporaryFiles(): tells LeakSanitizer that paths
// which were removed are not freed, as a signal handler may not do that.

// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {
  return "leak:heapprof::NoteTemporaryFile\n";
}
