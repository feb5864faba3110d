// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/doctor.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace heapprof {
namespace {

Diagnosis Sick() {
  return {.kind = "process",
          .subject = "process 7",
          .facts = {{.name = "jemalloc", .text = "/lib/\x1b[2J"},
                    {.name = "profiling",
                     .state = FactState::kMissing,
                     .text = "off, and it cannot be switched on because it was "
                             "not on at the start",
                     .command = "heapprof record '/a very long path that is on "
                                "one line, so that it can be copied/app'"},
                    {.name = "threads",
                     .state = FactState::kMissing,
                     .text = "no names",
                     .is_required = false}}};
}

TEST(DoctorTextTest, WrapsFactsButNotCommands) {
  EXPECT_EQ(WriteDoctorText(Sick(), 60),
            "process 7\n"
            "  ok       jemalloc     /lib/?[2J\n"
            "  missing  profiling    off, and it cannot be switched on\n"
            "                        because it was not on at the start\n"
            "                        heapprof record '/a very long path that "
            "is on one line, so that it can be copied/app'\n"
            "  missing  threads      no names\n"
            "not ready: profiling\n");
  Diagnosis well = Sick();
  well.facts.erase(well.facts.begin() + 1);
  EXPECT_TRUE(WriteDoctorText(well, 0).ends_with("\nready\n"));
}

TEST(DoctorJsonTest, HasEveryFact) {
  const auto json = nlohmann::json::parse(WriteDoctorJson(Sick()));
  EXPECT_EQ(json["schema"], "heapprof.doctor");
  EXPECT_EQ(json["kind"], "process");
  EXPECT_EQ(json["is_ready"], false);
  ASSERT_EQ(json["facts"].size(), 3u);
  EXPECT_EQ(json["facts"][0]["state"], "ok");
  EXPECT_EQ(json["facts"][0]["command"], nullptr);
  EXPECT_EQ(json["facts"][2]["is_required"], false);
}

}  // namespace
}  // namespace heapprof
