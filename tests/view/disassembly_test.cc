// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/disassembly.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// A routine of four-byte instructions. `lines` has the source line of each,
// which is also its text.
CodeRoutine RoutineOf(std::string name, uint64_t start,
                      const std::vector<std::string>& lines) {
  CodeRoutine routine;
  routine.name = name;
  routine.full_name = name + "(int)";
  routine.binary = "/bin/app";
  for (size_t i = 0; i < lines.size(); ++i)
    routine.instructions.push_back(
        {.address = start + 4 * i,
         .text = fmt::format("op{}", i),
         .places = {{.file = routine.strings.Intern("f.cc"),
                     .line = static_cast<uint32_t>(std::stoul(lines[i]))}}});
  return routine;
}

// Locations of a ProfileOf text whose frames are "routine:offset": the call is
// at that offset of the routine.
class DisassemblyTest : public ::testing::Test {
 protected:
  void AddRoutine(const std::string& name,
                  const std::vector<std::string>& lines) {
    starts_[name] = {routines_.size(), 0x1000 * (routines_.size() + 1)};
    routines_.push_back(RoutineOf(name, starts_[name].second, lines));
  }

  std::vector<ListedRoutine> Make(std::string_view text) {
    Profile profile = ProfileOf(text);
    std::vector<uint32_t> routine_of(profile.locations.size(), kNoRoutine);
    for (size_t i = 1; i < profile.locations.size(); ++i) {
      Location& location = profile.locations[i];
      const Line& line = profile.LocationLines(location).front();
      const std::string frame(
          profile.String(profile.functions[line.function.index()].name));
      const size_t colon = frame.find('+');
      const auto found = starts_.find(frame.substr(0, colon));
      if (found == starts_.end()) continue;
      routine_of[i] = static_cast<uint32_t>(found->second.first);
      location.module_address =
          found->second.second + std::stoul(frame.substr(colon + 1)) + 1;
    }
    return MakeDisassembly(profile, Metric::kInuseSpace, std::move(routines_),
                           routine_of);
  }

  // "name flat/cumulative percent: line flat/cumulative [op flat/cumulative
  // ...] ...", without parts that hold nothing.
  std::vector<std::string> List(std::string_view text) {
    std::vector<std::string> listed;
    for (const ListedRoutine& routine : Make(text)) {
      std::string shown =
          fmt::format("{} {}/{} {}%:", routine.name, routine.flat,
                      routine.cumulative, routine.percent);
      for (const InstructionBlock& block : routine.blocks) {
        shown += fmt::format(" {} {}/{} [", block.places.front().line,
                             block.flat, block.cumulative);
        for (const ListedInstruction& instruction : block.instructions)
          shown += fmt::format(" {} {}/{}", instruction.text, instruction.flat,
                               instruction.cumulative);
        shown += " ]";
      }
      listed.push_back(shown);
    }
    return listed;
  }

 private:
  std::vector<CodeRoutine> routines_;
  std::map<std::string, std::pair<size_t, uint64_t>> starts_;
};

TEST_F(DisassemblyTest, CountsTheCallOfAReturnAddress) {
  AddRoutine("f", {"10", "10", "11", "10"});
  // The last byte of an instruction, and the first one.
  EXPECT_THAT(List("main;f+7;g 60\nf+8 20\nother 20"),
              ElementsAre("f 20/80 80%: 10 0/60 [ op0 0/0 op1 0/60 ]"
                          " 11 20/20 [ op2 20/20 ] 10 0/0 [ op3 0/0 ]"));
}

TEST_F(DisassemblyTest, CountsAStackOnce) {
  AddRoutine("f", {"10", "10", "11"});
  EXPECT_THAT(List("f+1;f+9;f+5;f+1 100"),
              ElementsAre("f 100/100 100%: 10 100/100"
                          " [ op0 100/100 op1 0/100 ] 11 0/100 [ op2 0/100 ]"));
}

TEST_F(DisassemblyTest, SortsRoutinesByAbsoluteValue) {
  AddRoutine("a", {"1"});
  AddRoutine("b", {"2"});
  AddRoutine("c", {"3"});
  EXPECT_THAT(List("a+0 10\nb+0 -30\nc+0 20\nd 100"),
              ElementsAre("b -30/-30 -30%: 2 -30/-30 [ op0 -30/-30 ]",
                          "c 20/20 20%: 3 20/20 [ op0 20/20 ]",
                          "a 10/10 10%: 1 10/10 [ op0 10/10 ]"));
}

TEST_F(DisassemblyTest, HasNoPercentageOfNothing) {
  AddRoutine("a", {"1"});
  EXPECT_THAT(List("a+0 10\nd -10"),
              ElementsAre("a 10/10 0%: 1 10/10 [ op0 10/10 ]"));
}

TEST(MakeDisassemblyTest, TellsRoutinesOfOneNameApart) {
  const Profile profile = ProfileOf("a 1");
  const std::vector<uint32_t> none(profile.locations.size(), kNoRoutine);
  std::vector<CodeRoutine> routines;
  for (const char* name : {"f", "f", "f", "g"})
    routines.push_back(RoutineOf(name, 0x1000, {"1"}));
  routines[0].full_name = "f(char)";
  routines[2].binary = "/bin/old";
  std::vector<std::string> names;
  for (const ListedRoutine& routine :
       MakeDisassembly(profile, Metric::kInuseSpace, std::move(routines), none))
    names.push_back(routine.name + " " + routine.binary);
  EXPECT_THAT(names, ElementsAre("f(char) ", "f(int) /bin/app",
                                 "f(int) /bin/old", "g "));
}

TEST(CountedLocationsTest, AreLocationsOfStacksWithAValue) {
  const Profile profile = ProfileOf("a;b 1\na;c 0");
  std::string counted;
  for (const bool is_counted : CountedLocations(profile, Metric::kInuseSpace))
    counted += is_counted ? '1' : '0';
  // None, b and a, c.
  EXPECT_EQ(counted, "0110");
}

}  // namespace
}  // namespace heapprof
