// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/name_addresses.h"

#include <string>
#include <utility>

#include <fmt/core.h>

#include "cli/commands/passes.h"
#include "cli/inputs/address_list.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/write_outputs.h"
#include "heapprof/io/input_file.h"
#include "heapprof/io/mapped_range.h"
#include "heapprof/parse/parse_profile.h"

namespace heapprof {
namespace {

// Returns the binary among the arguments of --symbols, if there is one. Fails
// if there are several files, or if the file is not a binary.
Result<LoadedInputs> BinaryOf(const Options& options) {
  LoadedInputs inputs;
  for (const std::string& path : options.files) {
    const auto file = InputFile::Open(path);
    if (!file) return std::unexpected(file.error());
    if (DetectFormat(file->bytes()).kind != InputKind::kBinary)
      return Fail(ErrorKind::kUsage,
                  fmt::format("{}: --symbols takes a binary", path));
    inputs.binaries.push_back(path);
  }
  if (inputs.binaries.size() > 1)
    return Fail(ErrorKind::kUsage, "--symbols takes one binary");
  return inputs;
}

}  // namespace

Result<void> NameAddresses(Options& options, Session& session) {
  auto inputs = BinaryOf(options);
  if (!inputs) return std::unexpected(inputs.error());
  const auto input = InputFile::Open("-");
  if (!input) return std::unexpected(input.error());
  AddressList list = ReadAddressList(
      input->bytes(), inputs->binaries.empty() ? "" : inputs->binaries.front(),
      session.diagnostics);
  // The addresses in the input need not be return addresses, so do not check
  // whether they fit the binary.
  options.locator.force = true;
  if (auto made = MakeSymbolizer(options, *inputs, session); !made) return made;
  Symbolizer& symbolizer = *session.symbolizer;
  if (auto found = symbolizer.FindModules(list.profile); !found) return found;
  symbolizer.Symbolize(list.profile, session.diagnostics);
  if (auto whole = CheckMappedFiles(); !whole) return whole;
  inputs->addresses = std::move(list.locations);
  return WriteReport({.profile = list.profile,
                      .inputs = *inputs,
                      .symbolizer = symbolizer,
                      .output = options.outputs.front(),
                      .options = options,
                      .diagnostics = session.diagnostics});
}

}  // namespace heapprof
