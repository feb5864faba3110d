// SPDX-License-Identifier: Apache-2.0
#include "cli/args/output_table.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <ranges>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

namespace fs = std::filesystem;

TEST(OutputTableTest, EveryOutputHasAWriterAndAHelpText) {
  for (const OutputFormat& format : kOutputs) {
    EXPECT_NE(format.write, nullptr) << format.name;
    EXPECT_FALSE(format.help.empty()) << format.name;
  }
}

TEST(OutputTableTest, NamesAndExtensionsAreUnique) {
  std::set<std::string_view> names;
  std::set<std::string> extensions;
  for (const OutputFormat& format : kOutputs) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    for (const auto part : std::views::split(format.extensions, ' ')) {
      const std::string extension(part.begin(), part.end());
      if (extension.empty()) continue;
      EXPECT_TRUE(extension.starts_with('.')) << extension;
      EXPECT_TRUE(extensions.insert(extension).second) << extension;
    }
  }
}

// A writer without a row compiles, but nothing would ever call it.
TEST(OutputTableTest, HasARowForEveryWriter) {
  const fs::path cli = fs::path(HEAPPROF_TESTDATA) / "../src/cli";
  const auto contents = [](const fs::path& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::string table = contents(cli / "args/output_table.h");
  table.erase(0, table.find("kOutputs[]"));
  const std::regex writer(
      R"(\n[\w:<> ]+ (Make\w+)\(const ReportRequest& \w+,\s+ByteSink& \w+\))");
  std::set<std::string> writers;
  for (const auto& entry : fs::directory_iterator(cli / "outputs")) {
    const std::string text = contents(entry.path());
    const size_t named = text.rfind("}  // namespace\n\n");
    const std::string shared = text.substr(named == text.npos ? 0 : named);
    for (std::sregex_iterator it(shared.begin(), shared.end(), writer), end;
         it != end; ++it)
      writers.insert((*it)[1]);
  }
  EXPECT_GE(writers.size(), 17u);
  for (const std::string& name : writers)
    EXPECT_TRUE(table.contains(" " + name + ",")) << name << " has no row";
}

}  // namespace
}  // namespace heapprof
