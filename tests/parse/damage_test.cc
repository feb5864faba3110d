// SPDX-License-Identifier: Apache-2.0
//
// Laws for every kind of damaged input: the parser returns, its result is
// consistent, and it does not silently lose a record.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "parse/parse_testing.h"
#include "support/check_valid.h"

namespace heapprof {
namespace {

constexpr std::string_view kWholeDump =
    "heap_v2/524288\n"
    "  t*: 9: 99999 [0: 0]\n"
    "  t0: 4: 4096 [0: 0] main loop\n"
    "  t1: 1: 8 [0: 0] x]: 1: 2 [3: 4]\n"
    "@ 0x401030 0x401020 0x7f1000001010\n"
    "  t*: 4: 4096 [8: 8192]\n"
    "  t0: 4: 4096 [8: 8192]\n"
    "@\n"
    "  t*: 3: 3145728 [0: 0]\n"
    "  t1: 3: 3145728 [0: 0]\n"
    "@ 0x7fff00000010\n"
    "  t*: 2: 1048576 [0: 0]\n"
    "\n"
    "MAPPED_LIBRARIES:\n"
    "00400000-00401000 r-xp 00000000 fe:00 7      /bin/my prog (deleted)\n"
    "00401000-00402000 rwxp 00000000 00:00 0\n"
    "00402000-00403000 r-xp 00002000 fe:00 7      /bin/my prog (deleted)\n"
    "7f1000000000-7f1000002000 r-xp 00001000 fe:00 8   /lib/libc.so.6\n"
    "7fff00000000-7fff00001000 r-xp 00000000 00:00 0   [vdso]\n";

constexpr std::string_view kPrefixed =
    "%warn sampled\n"
    "<jemalloc>: Run jeprof on dump output for leak detail\n"
    "heap_v2/1\r\n"
    "@ 0x401030\r\n"
    "  t7: 1: 8 [0: 0]\r\n"
    "  t*: 1: 8 [0: 0]\r\n"
    "\r\n"
    "--- Memory map:\r\n"
    "build=/home/build\r\n"
    "400000-402000: $build/x\r\n"
    "0x500000 0x501000 1 0 0xff r-x 1 0 0x0 COW NC vnode /bin/x NCH -1\r\n"
    "600000 601000 r-xp /bin/y (@1000) 0a1b2c\r\n";

constexpr std::string_view kSymbolized =
    "--- symbol\n"
    "binary=/opt/demo/server\n"
    "0x0000000000401030 leaf<0000000000401000>\n"
    "0x000000000040101f It::operator--()--inlined()\n"
    "---\n"
    "--- heap\n"
    "heap_v2/524288\n"
    "  t*: 1: 8 [0: 0]\n"
    "@ 0x401030 0x401020 0x401011\n"
    "  t*: 4: 4096 [0: 0]\n";

constexpr std::string_view kFlat =
    "heap profile:   7: 5000 [   12: 700000] @ heap_v2/524288\n"
    "   4:     4096 [   8:   8192] @ 0x00401030 0x00401020\n"
    "  -1:      -80 [   0:      0] @ 0x7f1000001010\n"
    "   3:  3145728 [   3:3145728] @\n"
    "\n"
    "MAPPED_LIBRARIES:\n"
    "00400000-00402000 r-xp 00000000 fe:00 7      /bin/my prog\n"
    "7f1000000000-7f1000002000 r-xp 00001000 fe:00 8   /lib/libc.so.6\n";

constexpr std::string_view kInputs[] = {kWholeDump, kPrefixed, kSymbolized,
                                        kFlat};

struct Outcome {
  size_t samples = 0;
  bool has_message = false;  // a warning or an error
};

Outcome Parse(std::string_view text) {
  Diagnostics diagnostics;
  const Result<Profile> profile = ParseProfile(text, "a.heap", diagnostics);
  if (!profile) {
    EXPECT_NE(profile.error().message, "");
    return {.has_message = true};
  }
  EXPECT_EQ(CheckValid(*profile), "");
  return {.samples = profile->samples.size(),
          .has_message = !diagnostics.empty()};
}

std::string Mutate(std::string text, std::mt19937_64& random) {
  static constexpr std::string_view kTokens[] = {"@",
                                                 "@ ",
                                                 "\n",
                                                 "\r\n",
                                                 "  t*: ",
                                                 "  t1: ",
                                                 "0x",
                                                 "[0: 0]",
                                                 "-",
                                                 "--",
                                                 "---",
                                                 ": ",
                                                 " ",
                                                 "\t",
                                                 "%",
                                                 "MAPPED_",
                                                 "fe:00",
                                                 "r-xp ",
                                                 "<",
                                                 ">",
                                                 "18446744073709551615",
                                                 "99999999999999999999",
                                                 "ffffffffffffffff",
                                                 "heap_v2/",
                                                 "heap profile:",
                                                 "] @",
                                                 " (deleted)",
                                                 "$build",
                                                 "build=",
                                                 "(@"};
  const auto below = [&random](size_t limit) {
    return limit == 0 ? 0 : static_cast<size_t>(random() % limit);
  };
  for (size_t step = 1 + below(4); step > 0; --step) {
    const size_t at = below(text.size());
    const size_t length = below(std::min<size_t>(text.size() - at, 40) + 1);
    switch (below(5)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, kTokens[below(std::size(kTokens))]);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 4:
        if (!text.empty()) text[at] ^= static_cast<char>(1 << below(8));
        break;
    }
  }
  return text;
}

TEST(DamagedInputTest, WholeInputsHaveAllTheirSamples) {
  EXPECT_EQ(Parse(kWholeDump).samples, 3u);
  EXPECT_EQ(Parse(kPrefixed).samples, 1u);
  EXPECT_EQ(Parse(kSymbolized).samples, 1u);
  EXPECT_EQ(Parse(kFlat).samples, 3u);
  EXPECT_FALSE(Parse(kWholeDump).has_message);
}

TEST(DamagedInputTest, NoPrefixOfADumpLosesARecordSilently) {
  for (std::string_view input : {kWholeDump, kPrefixed, kFlat}) {
    const size_t samples = Parse(input).samples;
    for (size_t size = 0; size < input.size(); ++size) {
      const Outcome outcome = Parse(input.substr(0, size));
      EXPECT_LE(outcome.samples, samples) << size;
      EXPECT_TRUE(outcome.samples == samples || outcome.has_message) << size;
    }
  }
}

TEST(DamagedInputTest, EveryPrefixOfASymbolizedFileIsConsistent) {
  for (size_t size = 0; size < kSymbolized.size(); ++size)
    EXPECT_LE(Parse(kSymbolized.substr(0, size)).samples, 1u) << size;
}

TEST(DamagedInputTest, EveryMutationGivesAConsistentProfileOrAnError) {
  const bool full = std::getenv("HEAPPROF_FULL") != nullptr;
  const int count = full ? 50000 : 1000;
  for (std::string_view input : kInputs) {
    std::mt19937_64 random(20);
    for (int i = 0; i < count && !HasFailure(); ++i) {
      const std::string text = Mutate(std::string(input), random);
      Parse(text);
      if (HasFailure()) ADD_FAILURE() << "input " << i << ":\n" << text;
    }
  }
}

}  // namespace
}  // namespace heapprof
