// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/raw.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "heapprof/profile/baseline_labels.h"
#include "heapprof/profile/profile_builder.h"
#include "support/written_text.h"

namespace heapprof {
namespace {

// Stacks of functions at given addresses, each with one sampled object.
class RawTest : public testing::Test {
 protected:
  LocationId At(uint64_t address, std::vector<std::string> names,
                bool is_return_address = true) {
    std::vector<Line> lines;
    for (const std::string& name : names)
      lines.push_back({.function = builder_.InternFunction(
                           {.name = builder_.InternString(name)})});
    return builder_.AddLocation({.address = address,
                                 .is_return_address = is_return_address,
                                 .lines = builder_.AddLines(lines)});
  }

  Sample Add(std::vector<LocationId> stack) {
    // "4: 4096" with a period of 524288.
    Sample sample = {.stack = builder_.AddStack(stack)};
    sample.values[Metric::kInuseObjects].value = 2050.0006510416797;
    sample.values[Metric::kInuseSpace].value = 2099200.66666668;
    builder_.AddSample(sample);
    return sample;
  }

  struct Written {
    std::string text;
    bool rounded = false;
  };

  Written Write(uint64_t period = 524288) {
    builder_.profile().sampling_period = period;
    Written written;
    written.text = WrittenText([&](ByteSink& out) {
      written.rounded = WriteRaw(builder_.profile(), out);
    });
    return written;
  }

  ProfileBuilder builder_;
};

TEST_F(RawTest, WritesKeysAsReadersLookThemUpAndTheCountsOfTheDump) {
  const LocationId leaf = At(0x401000, {"leaf"});
  const LocationId main = At(0x402000, {"inlined", "main"});
  builder_.profile().main_binary = builder_.InternString("/bin/app");
  Add({leaf, main});
  const Written report = Write();
  EXPECT_FALSE(report.rounded);
  EXPECT_EQ(report.text,
            "--- symbol\n"
            "binary=/bin/app\n"
            "0x0000000000400fff leaf\n"
            "0x0000000000401fff main--inlined\n"
            "---\n"
            "--- heap\n"
            "heap_v2/524288\n"
            "  t*: 4: 4096 [0: 0]\n"
            "@ 0x400fff 0x402000\n"
            "  t*: 4: 4096 [0: 0]\n");
}

TEST_F(RawTest, KeepsKeysOfSymbolizedInput) {
  Add({At(0x401000, {"leaf"}, false), At(0x402000, {"main"}, false)});
  const std::string text = Write().text;
  EXPECT_TRUE(text.contains("0x0000000000401000 leaf\n")) << text;
  EXPECT_TRUE(text.contains("0x0000000000402000 main\n")) << text;
  EXPECT_TRUE(text.contains("@ 0x401000 0x402001\n")) << text;
}

TEST_F(RawTest, MakesUpAddressesWhereOneWouldHaveTwoNames) {
  const LocationId main = At(0x402000, {"main"});
  Add({At(0x401000, {"inlined", "outer"}), main});
  Add({At(0x401000, {"outer"}), main});
  Add({At(0, {"[no stack]"})});
  Add({At(0xffff800000000000, {"kernel"})});
  const std::string text = Write().text;
  EXPECT_TRUE(
      text.contains("--- symbol\n"
                    "0x0000000000000001 outer\n"
                    "0x0000000000000002 [no stack]\n"
                    "0x0000000000000003 kernel\n"
                    "0x0000000000400fff outer--inlined\n"
                    "0x0000000000401fff main\n"
                    "---\n"))
      << text;
  EXPECT_TRUE(text.contains("@ 0x1 0x402000\n")) << text;
}

TEST_F(RawTest, WritesNamesThatSurviveTheFormat) {
  Add({At(0x401000, {"It::operator--(int)"}), At(0x402000, {"a\nb"}),
       At(0x403000, {""}), At(0x404000, {})});
  const std::string text = Write().text;
  EXPECT_TRUE(text.contains(" It::operator- -(int)\n")) << text;
  EXPECT_TRUE(text.contains(" a?b\n")) << text;
  EXPECT_TRUE(text.contains("0x0000000000402fff ??\n")) << text;
  EXPECT_TRUE(text.contains("0x0000000000403fff ??\n")) << text;
}

TEST_F(RawTest, TellsFunctionsOfOneNameApartByTheirStart) {
  const LocationId leaf = At(0x401000, {"f"});
  builder_.profile().functions[1].start_address = 0x400f00;
  Add({leaf});
  EXPECT_TRUE(Write().text.contains(" f<0000000000400f00>\n"));
}

TEST_F(RawTest, WritesThreadsAndTellsThoseOfTwoProcessesApart) {
  Sample sample = Add({At(0x401000, {"leaf"})});
  for (const char* name : {"first", "second"}) {
    sample.thread = builder_.InternThread(7, name);
    builder_.AddThreadSample(sample);
  }
  const std::string text = Write().text;
  EXPECT_TRUE(
      text.contains("  t*: 4: 4096 [0: 0]\n"
                    "  t7: 4: 4096 [0: 0] first\n"
                    "  t8: 4: 4096 [0: 0] second\n"
                    "@ 0x400fff\n"
                    "  t*: 4: 4096 [0: 0]\n"
                    "  t7: 4: 4096 [0: 0]\n"
                    "  t8: 4: 4096 [0: 0]\n"))
      << text;
}

TEST_F(RawTest, SaysThatThreadsMayShareErrors) {
  Sample sample = Add({At(0x401000, {"leaf"})});
  for (uint64_t uid = 0; uid < 3; ++uid) {
    sample.thread = builder_.InternThread(uid, "");
    builder_.AddThreadSample(sample);
  }
  for (const auto& [stacks, is_said] :
       {std::pair(2u, false), std::pair(1u, true)}) {
    builder_.profile().thread_stacks.now = stacks;
    EXPECT_EQ(Write().text.contains(
                  fmt::format("--- symbol\n{}\n0x", kSharedSeedsComment)),
              is_said);
  }
}

TEST_F(RawTest, RoundsValuesThatAreNotScaledCounts) {
  Add({At(0x401000, {"leaf"})});
  for (uint64_t period : {uint64_t{0}, uint64_t{1000000}}) {
    const Written report = Write(period);
    EXPECT_TRUE(report.rounded);
    EXPECT_TRUE(report.text.ends_with(
        "heap profile: 2050: 2099200 [0: 0] @ heapprofile\n"
        "2050: 2099200 [0: 0] @ 0x400fff\n"))
        << report.text;
  }
}

TEST_F(RawTest, WritesADumpWithoutSamples) {
  EXPECT_EQ(Write().text,
            "--- symbol\n---\n--- heap\nheap_v2/524288\n"
            "  t*: 0: 0 [0: 0]\n");
}

}  // namespace
}  // namespace heapprof
