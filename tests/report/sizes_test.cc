// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(WriteSizesTest, LaysOutATable) {
  const SizeTable table = {
      .rows = {{.size = 0, .sum = {.now = {.value = 7}}, .percent = 0.01},
               {.size = 96,
                .sum = {.now = {.value = 12288}},
                .percent = 0.6,
                .objects = 128,
                .samples = SampleNumbers{3, 0},
                .top_function = "f"},
               {.size = 4096,
                .sum = {.now = {.value = 2097152}},
                .percent = 99.4,
                .objects = 512,
                .samples = SampleNumbers{10, 1},
                .top_function = "g"}}};
  EXPECT_EQ(WriteSizes(table, {}),
            "      size       held  share    objects  samples  most by\n"
            "         ?        7 B  0.01%          0        -\n"
            "      96 B   12.0 KiB  0.60%        128        3  f\n"
            "     4 KiB    2.0 MiB  99.4%        512       11  g\n");
  EXPECT_EQ(WriteSizes(table, {.unit = Unit::kBytes, .top = 1}),
            "      size       held  share    objects  samples  most by\n"
            "     4 KiB  2097152 B  99.4%        512       11  g\n");
  EXPECT_EQ(WriteSizes({}, {}), "");
}

TEST(WriteSizesTest, ColorsFunctions) {
  const SizeTable table = {.rows = {{.size = 96,
                                     .sum = {.now = {.value = 16}},
                                     .percent = 100,
                                     .objects = 4,
                                     .top_function = "g",
                                     .parts = {4, 10, 2}}},
                           .functions = {"f", "g"}};
  EXPECT_THAT(
      WriteSizes(table, {.is_exact = true, .width = 100, .color = true}),
      testing::HasSubstr("100%  \x1b[34m████\x1b[0m"
                         "\x1b[33m██████████\x1b[0m██ "
                         "         4  \x1b[33mg\x1b[0m\n"));
  EXPECT_THAT(WriteSizes(table, {.is_exact = true, .width = 60, .color = true}),
              testing::HasSubstr("100%          4  \x1b[33mg\x1b[0m\n"));
}

TEST(WriteSizesTest, KeepsWideSharesApart) {
  const SizeTable table = {.rows = {{.size = 96,
                                     .sum = {.now = {.value = 12288}},
                                     .percent = -265.9,
                                     .objects = -128}}};
  EXPECT_EQ(WriteSizes(table, {.is_comparison = true}),
            "      size     change  share    objects  samples  most by\n"
            "      96 B   12.0 KiB -265.9%       -128        -\n");
}

TEST(WriteSizesTest, HasNoSamplesOnATerminalIfAllWereSampled) {
  const SizeTable table = {.rows = {{.size = 64,
                                     .sum = {.now = {.value = 128}},
                                     .percent = 100,
                                     .objects = 2,
                                     .samples = {},
                                     .top_function = "f"}}};
  EXPECT_EQ(WriteSizes(table, {.is_exact = true, .width = 80}),
            "      size       held  share    objects  most by\n"
            "      64 B      128 B   100%          2  f\n");
}

TEST(WriteSizesTest, LeavesOutColumnsOnANarrowTerminal) {
  const SizeTable table = {.rows = {{.size = 96,
                                     .sum = {.now = {.value = 12288}},
                                     .percent = 0.6,
                                     .objects = 128,
                                     .samples = SampleNumbers{3, 0},
                                     .top_function = "ns::Class::Function"}}};
  EXPECT_EQ(WriteSizes(table, {.width = 60}),
            "      size       held  share    objects  most by\n"
            "      96 B   12.0 KiB  0.60%        128  ns::Class::Function\n");
  EXPECT_EQ(WriteSizes(table, {.width = 40}),
            "      size       held  most by\n"
            "      96 B   12.0 KiB  Clas…::Function\n");
}

}  // namespace
}  // namespace heapprof
