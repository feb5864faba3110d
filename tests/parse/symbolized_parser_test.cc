// SPDX-License-Identifier: Apache-2.0
#include "parse/symbolized_parser.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/baseline_labels.h"
#include "parse/parse_testing.h"

namespace heapprof {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::string_view kSymbolizedDump =
    "heap_v2/524288\n"
    "  t*: 1: 1 [0: 0]\n"
    "@ 0x401000 0x402001 0x403001\n"
    "  t*: 4: 4096 [0: 0]\n";

// A file with these symbol lines, then kSymbolizedDump.
std::string File(std::string_view symbols) {
  return "--- symbol\n" + std::string(symbols) + "---\n--- heap\n" +
         std::string(kSymbolizedDump);
}

// The names of a stack, leaf first; inlined calls come before their caller,
// which follows a '<'.
std::vector<std::string> Names(const Profile& profile, StackId stack) {
  std::vector<std::string> names;
  for (LocationId frame : profile.StackFrames(stack)) {
    std::string chain;
    for (const Line& line :
         profile.LocationLines(profile.locations[frame.index()])) {
      if (!chain.empty()) chain += " < ";
      chain += profile.String(profile.functions[line.function.index()].name);
    }
    names.push_back(chain);
  }
  return names;
}

// The names of the only record.
std::vector<std::string> NamesOf(std::string_view symbols) {
  const Parsed file = ParseText(File(symbols));
  EXPECT_THAT(file.warnings, IsEmpty());
  EXPECT_TRUE(file.profile.is_symbolized);
  if (file.profile.samples.size() != 1) return {"no sample"};
  return Names(file.profile, file.profile.samples[0].stack);
}

TEST(SymbolizedParserTest, LooksUpTheLeafAsItIsAndCallersOneByteBack) {
  EXPECT_THAT(NamesOf("0x0000000000401000 leaf\n"
                      "0x0000000000402000 caller\n"
                      "0x0000000000403000 main\n"
                      "0x0000000000403001 wrong\n"),
              ElementsAre("leaf", "caller", "main"));
}

TEST(SymbolizedParserTest, NeedsNoMemoryMap) {
  const Parsed file = ParseText(File("0x401000 leaf\n"));
  EXPECT_THAT(file.warnings, IsEmpty());
  EXPECT_FALSE(file.profile.has_memory_map);
}

TEST(SymbolizedParserTest, ReadsAMemoryMapIfThereIsOne) {
  const Parsed file = ParseText(File("0x401000 leaf\n") +
                                "\nMAPPED_LIBRARIES:\n"
                                "00400000-00500000 r-xp 00000000 fe:00 7 "
                                "/bin/prog\n");
  EXPECT_TRUE(file.profile.has_memory_map);
  EXPECT_THAT(file.profile.mappings, SizeIs(2));
  EXPECT_EQ(file.profile.locations.at(1).mapping.value, 1u);
}

TEST(SymbolizedParserTest, KeepsTheRecordsValues) {
  const Parsed file = ParseText(File("0x401000 leaf\n"));
  ASSERT_THAT(file.profile.samples, SizeIs(1));
  EXPECT_NEAR(Value(file.profile.samples[0], Metric::kInuseSpace), 2099200.667,
              1e-3);
}

TEST(SymbolizedParserTest, SplitsInlineChainsInnermostFirst) {
  struct Case {
    std::string_view chain;
    std::string_view names;
  };
  const Case kCases[] = {
      {"plain", "plain"},
      {"It::operator- -(int)--lib- - -a.so+0x1",
       "lib---a.so+0x1 < It::operator--(int)"},
      {"outer()--inlined()", "inlined() < outer()"},
      {"outer--middle--inner", "inner < middle < outer"},
      {"It::operator--(int)", "It::operator--(int)"},
      {"It::operator--()--std::prev", "std::prev < It::operator--()"},
      {"main--It::operator--()", "It::operator--() < main"},
      {"ns::f(char const*) const", "ns::f(char const*) const"},
      {"main<0000000000401080>", "main"},
      {"outer<0000000000401080>--inner<00000000004010a0>", "inner < outer"},
      {"std::vector<int>", "std::vector<int>"},
      {"f<12345>", "f<12345>"},
      {"f<000000000040108g>", "f<000000000040108g>"},
      {"a--", "a"},
      {"--b", "b"},
  };
  for (const Case& c : kCases) {
    EXPECT_THAT(
        NamesOf("0x401000 " + std::string(c.chain) + "\n"),
        ElementsAre(c.names, "0x0000000000402000", "0x0000000000403000"))
        << c.chain;
  }
}

TEST(SymbolizedParserTest, KeepsTheSymbolsAddressFromTheTag) {
  const Parsed file = ParseText(File("0x401000 main<0000000000401080>\n"));
  const auto& functions = file.profile.functions;
  ASSERT_GT(functions.size(), 1u);
  EXPECT_EQ(file.profile.String(functions[1].name), "main");
  EXPECT_EQ(functions[1].start_address, 0x401080u);
}

TEST(SymbolizedParserTest, MarksAddressesWithoutANameAsUnresolved) {
  const Parsed file = ParseText(File("0x402000 caller\n"));
  const Profile& profile = file.profile;
  EXPECT_THAT(
      Names(profile, profile.samples.at(0).stack),
      ElementsAre("0x0000000000401000", "caller", "0x0000000000403000"));
  for (size_t i = 1; i < profile.functions.size(); ++i)
    EXPECT_EQ(profile.functions[i].unresolved,
              profile.String(profile.functions[i].name) != "caller");
}

TEST(SymbolizedParserTest, TakesPlaceholdersForNoNames) {
  const Parsed file = ParseText(
      "--- symbol\n0x401000 ??\n0x402000 0x0000000000402000\n"
      "0x403000 lib.so+0x3000\n0x404000 other.so+0x4000\n"
      "0x701000 ??\n---\n"
      "heap_v2/1\n@ 0x401000 0x402001 0x403001 0x404001 0x701001\n"
      "  t*: 4: 4096 [0: 0]\n\nMAPPED_LIBRARIES:\n"
      "00400000-00500000 r-xp 00000000 08:01 1 /opt/lib.so\n");
  const Profile& profile = file.profile;
  EXPECT_THAT(Names(profile, profile.samples.at(0).stack),
              ElementsAre("", "", "", "other.so+0x4000", "0x0000000000701000"));
  for (size_t i = 1; i < profile.functions.size(); ++i)
    EXPECT_EQ(profile.functions[i].unresolved,
              profile.String(profile.functions[i].name) != "other.so+0x4000");
}

TEST(SymbolizedParserTest, TakesAddressesInFilesForNoNamesIfThereIsNoMap) {
  const Profile profile =
      ParseText(File("0x401000 leaf\n0x402000 lib.so+0x2000\n")).profile;
  EXPECT_THAT(Names(profile, profile.samples.at(0).stack),
              ElementsAre("leaf", "lib.so+0x2000", "0x0000000000403000"));
  for (size_t i = 1; i < profile.functions.size(); ++i)
    EXPECT_EQ(profile.functions[i].unresolved,
              profile.String(profile.functions[i].name) != "leaf");
}

TEST(SymbolizedParserTest, ReadsAnyBlanksAndDigitsOfSymbolLines) {
  EXPECT_THAT(NamesOf("0x000401000   leaf\n"
                      "0x402000\tcaller\n"
                      "0x00000000000403000 \t main\n"),
              ElementsAre("leaf", "caller", "main"));
}

TEST(SymbolizedParserTest, IgnoresSymbolLinesOfOtherShapes) {
  EXPECT_THAT(NamesOf("binary=/opt/demo/server\n"
                      "other=variable\n"
                      "\n"
                      "0x401000\n"
                      "0x402000 \n"
                      "401000 leaf\n"
                      "0x403000 main\n"),
              ElementsAre("0x0000000000401000", "0x0000000000402000", "main"));
}

TEST(SymbolizedParserTest, TakesTheProgramFromTheBinaryVariable) {
  const Parsed file = ParseText(File("binary=/opt/my demo/server\n"));
  EXPECT_EQ(file.profile.String(file.profile.main_binary),
            "/opt/my demo/server");
}

// jeprof writes the path that was on its command line: here, of a debug file.
TEST(SymbolizedParserTest, BelievesTheMemoryMapRatherThanTheVariable) {
  const Parsed file =
      ParseText(File("binary=debug/prog.debug\n0x401000 leaf\n") +
                "\nMAPPED_LIBRARIES:\n"
                "00400000-00500000 r-xp 00000000 fe:00 7 /bin/prog\n");
  EXPECT_EQ(file.profile.String(file.profile.main_binary), "/bin/prog");
}

TEST(SymbolizedParserTest, ReadsEveryMarkerBetweenSymbolsAndDump) {
  const std::string symbols = "--- symbol\n0x401000 leaf\n";
  const std::string dump(kSymbolizedDump);
  for (const std::string& between :
       {std::string("---\n--- heap\n"), std::string("---\n---  heap\n"),
        std::string("---\n---heap\n"), std::string("--- heap\n"),
        std::string("---\n--- profile\n"), std::string("---\n\n--- heap\n"),
        std::string("---\n\r\n--- heap\r\n")}) {
    const Parsed file = ParseText(symbols + between + dump);
    EXPECT_THAT(file.profile.samples, SizeIs(1)) << between;
  }
}

TEST(SymbolizedParserTest, ReadsCrlfLinesAndCommandsBeforeTheSymbols) {
  std::string crlf;
  for (char c : File("binary=/bin/x\n0x401000 leaf\n"))
    crlf += c == '\n' ? std::string("\r\n") : std::string{c};
  const Parsed file = ParseText("%warn slow\r\n" + crlf);
  EXPECT_THAT(file.warnings, ElementsAre("a.heap: slow"));
  EXPECT_THAT(Names(file.profile, file.profile.samples.at(0).stack),
              Contains("leaf"));
  EXPECT_EQ(file.profile.String(file.profile.main_binary), "/bin/x");
}

TEST(SymbolizedParserTest, CountsLinesOfTheWholeFileInMessages) {
  const Parsed file =
      ParseText("%warn slow\n" + File("0x401000 leaf\n") + "t1\n");
  EXPECT_THAT(file.warnings,
              Contains("a.heap:10: expected '@ <addresses>' or 't<id>: "
                       "<objects>: <bytes> [<objects>: <bytes>]', found "
                       "'t1'"));
}

TEST(SymbolizedParserTest, KeepsRecordsBeforeTruncation) {
  const Parsed file =
      ParseText(File("0x401000 leaf\n") + "@ 0x401000\n  t*: 4: 40");
  EXPECT_THAT(file.profile.samples, SizeIs(1));
  EXPECT_THAT(
      file.warnings,
      ElementsAre(
          "a.heap:10: the dump is truncated; this incomplete line is ignored"));
}

TEST(SymbolizedParserTest, RejectsFilesWithoutADumpAndSaysWhatItFound) {
  EXPECT_EQ(
      ErrorOf("--- symbol\n0x401000 leaf\n"),
      "a.heap: the symbol section has no closing '---' and no dump after it");
  EXPECT_EQ(ErrorOf("--- symbol\n0x401000 leaf\n---\n--- heap\n"),
            "a.heap:5: expected a heap dump ('heap_v2/…' or 'heap profile:') "
            "after the symbols, found ''");
  EXPECT_EQ(ErrorOf("--- symbol\n---\n--- profile\nheap\nx\n"),
            "a.heap:4: expected a heap dump ('heap_v2/…' or 'heap profile:') "
            "after the symbols, found 'heap'");
}

TEST(SymbolizedParserTest, ReadsAFlatDumpAfterTheSymbols) {
  const Parsed file = ParseText(
      "--- symbol\n0x401000 leaf\n0x402000 caller\n---\n--- heap\n"
      "heap profile: 1: 8 [2: 16] @ heapprofile\n"
      " 1: 8 [2: 16] @ 0x00401000 0x00402001\n");
  EXPECT_THAT(file.warnings, IsEmpty());
  EXPECT_THAT(Names(file.profile, file.profile.samples.at(0).stack),
              ElementsAre("leaf", "caller"));
}

TEST(SymbolizedParserTest, PassesOnCommandsBetweenSymbolsAndDump) {
  const Parsed file = ParseText("--- symbol\n---\n%warn slow\n--- heap\n" +
                                std::string(kSymbolizedDump));
  EXPECT_THAT(file.warnings, ElementsAre("a.heap: slow"));
  EXPECT_THAT(file.profile.samples, SizeIs(1));
}

TEST(SymbolizedParserTest, KeepsTheLastOfSeveralNamesOfAnAddress) {
  EXPECT_THAT(NamesOf("0x401000 first\n0x0401000 second\n"),
              Contains("second"));
}

TEST(SymbolizedParserTest, KeepsNamesOfAddressesThatNoRecordHas) {
  const Profile profile =
      ParseText(File("0x909000 elsewhere--inlined\n")).profile;
  const Location& spare = profile.locations.back();
  EXPECT_EQ(spare.address, 0x909000u);
  const auto lines = profile.LocationLines(spare);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(profile.String(profile.functions[lines[1].function.index()].name),
            "elsewhere");
}

TEST(SymbolizedParserTest, SaysThatThreadsMayShareErrors) {
  const Parsed parsed = ParseText(
      File("0x401000 leaf\n" + std::string(kSharedSeedsComment) + "\n"));
  EXPECT_THAT(parsed.warnings, IsEmpty());
  EXPECT_THAT(
      parsed.notes,
      ElementsAre(StartsWith("a.heap: error bounds may be too narrow")));
}

TEST(SymbolizedParserTest, SaysThatAFileCutBetweenRecordsIsTruncated) {
  const std::string whole =
      "--- symbol\n---\n--- heap\nheap_v2/524288\n"
      "  t*: 8: 8192 [0: 0]\n"
      "@ 0x401000\n  t*: 4: 4096 [0: 0]\n"
      "@ 0x402000\n  t*: 4: 4096 [0: 0]\n";
  EXPECT_THAT(ParseText(whole).warnings, IsEmpty());
  // By the formula: 8 objects of 1024 bytes, and half of that.
  EXPECT_THAT(ParseText(whole.substr(0, whole.rfind('@'))).warnings,
              ElementsAre("a.heap: the dump is truncated: its header states "
                          "4198401 bytes, but its records hold 2099201"));
}

}  // namespace
}  // namespace heapprof
