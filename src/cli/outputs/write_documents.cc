// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/write_documents.h"

#include <poll.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "cli/args/output_names.h"
#include "cli/outputs/gzip_output.h"

namespace heapprof {
namespace {

Result<OutputFile> MakeFile(const Document& document) {
  const auto write = [&document](ByteSink& out) -> Result<void> {
    out.Append(document.text);
    return {};
  };
  return MakeOutputFile(document.path, [&](ByteSink& out) {
    return IsGzipName(document.path)
               ? WriteGzipped(out, /*may_start_thread=*/false, write)
               : write(out);
  });
}

// True if standard output is a pipe that nobody reads any more.
bool IsReaderGone() {
  pollfd out = {.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

}  // namespace

Result<OutputFile> MakeOutputFile(
    const std::string& path,
    const std::function<Result<void>(ByteSink&)>& write) {
  auto file = OutputFile::Create(path);
  if (!file) return file;
  ByteSink out([&file](std::string_view block) { return file->Append(block); });
  auto written = write(out);
  if (written) written = out.Finish();
  if (written) written = file->Complete();
  if (!written) return std::unexpected(written.error());
  return file;
}

Result<void> WriteDocuments(const std::vector<Document>& documents,
                            std::vector<OutputFile> files) {
  for (const Document& document : documents) {
    if (IsStandardOutput(document.path)) continue;
    auto made = MakeFile(document);
    if (!made) return std::unexpected(made.error());
    files.push_back(*std::move(made));
  }
  for (const Document& document : documents)
    if (IsStandardOutput(document.path))
      if (auto written =
              WriteAll(STDOUT_FILENO, document.text, "standard output");
          !written && !IsReaderGone())
        return written;
  for (OutputFile& file : files)
    if (auto published = file.Publish(); !published) return published;
  return {};
}

}  // namespace heapprof
