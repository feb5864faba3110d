// SPDX-License-Identifier: Apache-2.0
//
// The other end of getopt_differential.pl. All data is NUL-terminated fields.
//
//   normalize_args_driver --specs   jeprof's options as Getopt::Long
//                                   specifications, one per line
//   normalize_args_driver < lines   normalises command lines
//
// Input, per command line: the number of arguments, the arguments. Output: the
// number of options, the options; the same of positionals, and of errors.
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/normalize_args.h"
#include "cli/args/option_table.h"
#include "jeprof_table.h"

namespace heapprof {
namespace {

std::string_view SpecSuffix(OptionKind kind) {
  switch (kind) {
    case OptionKind::kSwitch:
      return "!";
    case OptionKind::kPlainSwitch:
      return "";
    case OptionKind::kString:
      return "=s";
    case OptionKind::kInteger:
      return "=i";
    case OptionKind::kFloat:
    case OptionKind::kFraction:
    case OptionKind::kPercent:
      return "=f";
  }
  return "";
}

void WriteField(std::string_view field) { std::cout << field << '\0'; }

void WriteList(const std::vector<std::string>& list) {
  WriteField(std::to_string(list.size()));
  for (const std::string& item : list) WriteField(item);
}

void WriteResult(const NormalizedArgs& result) {
  WriteList(result.options);
  WriteList(result.positionals);
  WriteList(result.errors);
}

void NormalizeLines(std::istream& in, std::span<const OptionSpec> table) {
  std::string field;
  while (std::getline(in, field, '\0')) {
    std::vector<std::string> args(std::stoul(field));
    for (std::string& arg : args) std::getline(in, arg, '\0');
    WriteResult(NormalizeArgs(args, table));
  }
}

}  // namespace
}  // namespace heapprof

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<heapprof::OptionSpec> table = heapprof::JeprofTable();
  if (argc == 2 && std::string_view(argv[1]) == "--specs") {
    for (const heapprof::OptionSpec& spec : table) {
      std::cout << spec.name << heapprof::SpecSuffix(spec.kind) << '\n';
    }
    return 0;
  }
  heapprof::NormalizeLines(std::cin, table);
  return std::cout.flush() ? 0 : 1;
}
