// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/flamegraph.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/test_profile.h"
#include "support/written_text.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ParsedJson = nlohmann::json;

std::string Drawn(const Profile& profile, const FlamegraphOptions& options = {
                                              .dumps = {.now = "a.heap"}}) {
  const FrameTree tree = MakeFrameTree(profile, {.counts_samples = true});
  const ErrorBars errors(profile, Metric::kInuseSpace);
  const FlameGraph graph =
      MakeFlameGraph(tree, 0, errors, FrameChanges(tree, 0, errors), {});
  return WrittenText(
      [&](ByteSink& out) { WriteFlamegraph(tree, graph, options, out); });
}

// The text between two marks.
std::string Between(const std::string& text, std::string_view from,
                    std::string_view to) {
  const size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

ParsedJson DataOf(const std::string& svg) {
  return ParsedJson::parse(
      Between(svg, "type=\"application/json\"><![CDATA[", "]]>"));
}

TEST(FlamegraphTest, DrawsABoxForEachFrame) {
  const std::string svg = Drawn(ProfileOf("main;f 1048576\nmain 1048576\n"));
  EXPECT_THAT(
      svg,
      HasSubstr("<rect class=\"c0\" x=\"10.00\" y=\"52\" width=\"590.00\" "
                "height=\"15\" data-i=\"2\"/><text x=\"13.00\" y=\"63.5\">f"
                "</text><title>f\n1.0 MiB, 50.0%</title>"));
  EXPECT_THAT(svg, HasSubstr("y=\"84\" width=\"1180.00\" height=\"15\" "
                             "data-i=\"0\"/><text x=\"13.00\" y=\"95.5\">all"
                             "</text><title>all\n2.0 MiB, 100%</title>"));
  EXPECT_THAT(svg, HasSubstr("width=\"1200\" height=\"110\""));
  EXPECT_THAT(svg, HasSubstr("<title>a.heap: 2.0 MiB live</title>"));
}

TEST(FlamegraphTest, CanBeInverted) {
  const std::string svg =
      Drawn(ProfileOf("main;f 1\n"), {.width = 420, .is_inverted = true});
  EXPECT_THAT(svg, HasSubstr("y=\"52\" width=\"400.00\" height=\"15\" "
                             "data-i=\"0\""));
  EXPECT_EQ(DataOf(svg)["inverted"], true);
}

TEST(FlamegraphTest, ShortensNames) {
  const std::string svg = Drawn(
      ProfileOf("scope::function(int) 12\nscope::verylongfunction(int) 9\n"
                "scope::longscope::{{closure}} 9\nz 70\n"),
      {.width = 1020});
  EXPECT_THAT(svg, HasSubstr(">scope::function</text>"));
  EXPECT_THAT(svg, HasSubstr(">verylongfun…</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>scope::verylongfunction(int)\n"));
  // The last part alone would say nothing.
  EXPECT_THAT(svg, HasSubstr(">scope::long…</text>"));
}

TEST(FlamegraphTest, WritesTheFramesForTheScript) {
  Profile profile = ProfileOf("main;ns::f(int) 100\nmain 7\n");
  profile.sampling_period = 25;
  profile.samples[0].values[Metric::kInuseSpace].variance = 2500;
  const ParsedJson data = DataOf(Drawn(profile));
  EXPECT_EQ(data["names"], (ParsedJson{"main", "ns::f(int)"}));
  EXPECT_EQ(data["short"], (ParsedJson{0, "ns::f"}));
  EXPECT_EQ(data["label"], ParsedJson::parse("[-1, 0, 1]"));
  EXPECT_EQ(data["depth"], ParsedJson::parse("[0, 1, 2]"));
  EXPECT_EQ(data["now"], ParsedJson::parse("[0, 7, 100]"));
  EXPECT_EQ(data["below"][2], 73);
  EXPECT_EQ(data["above"][2], 157);
  EXPECT_EQ(data["samples"][2], 4);
  EXPECT_EQ(data["side"], 0);
  EXPECT_FALSE(data.contains("before"));
}

TEST(FlamegraphTest, ShowsChanges) {
  const std::string svg = Drawn(ProfileOf("a 4194304\nb -1048576\n"),
                                {.dumps = {"b.heap", "a.heap"}});
  EXPECT_THAT(svg, HasSubstr(">a.heap → b.heap: 1.0 MiB → 4.0 MiB (+3.0 MiB) "
                             "live</text>"));
  EXPECT_THAT(svg, HasSubstr("<g id=\"legend\">"));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"g8\" x=\"10.00\" y=\"72\""));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"new\" x=\"10.00\" y=\"72\""));
  const ParsedJson data = DataOf(svg);
  EXPECT_EQ(data["before"], ParsedJson::parse("[0, 0, 1048576]"));
}

TEST(FlamegraphTest, SaysWhatGreyMeans) {
  Profile profile = ProfileOf("a 4194304\nb -1048576\n");
  std::string svg = Drawn(profile);
  EXPECT_THAT(svg, HasSubstr(">unchanged</text>"));
  EXPECT_FALSE(DataOf(svg).contains("strictness"));
  profile.sampling_period = 1024;
  svg = Drawn(profile);
  EXPECT_THAT(svg, HasSubstr(">unchanged or may be chance</text>"));
  EXPECT_GE(DataOf(svg)["strictness"], 1.0);
}

TEST(FlamegraphTest, ShowsTheBaseIfNothingIsLeft) {
  const std::string svg = Drawn(ProfileOf("a -5\n"));
  EXPECT_EQ(DataOf(svg)["side"], 1);
  EXPECT_THAT(svg, HasSubstr(": 5 B → 0 B (-5 B) live<"));
}

TEST(FlamegraphTest, EscapesNames) {
  const std::string svg =
      Drawn(ProfileOf("</script><b>]]>\"'&\x01\xff\xef\xbf\xbf 5\n"),
            {.title = "</title><script>", .dumps = {"<i>", "<u>"}});
  for (const char* tag : {"<b>", "<i>", "<u>", "</title><script>", "]]>\""})
    EXPECT_THAT(svg, Not(HasSubstr(tag)));
  EXPECT_THAT(svg, HasSubstr(">&#60;/script&#62;&#60;b&#62;]]&#62;"
                             "&#34;&#39;&#38;???"
                             "</text>"));
  EXPECT_EQ(DataOf(svg)["names"][0], "</script><b>]]>\"'&??\xef\xbf\xbf");
}

TEST(FlamegraphTest, LoadsNothing) {
  std::string svg = Drawn(ProfileOf("f 5\n"));
  for (const char* space :
       {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"})
    for (size_t at = svg.find(space); at != svg.npos; at = svg.find(space))
      svg.erase(at, std::string_view(space).size());
  for (const char* loads :
       {"http", "import(", "fetch(", "src=", "href", "@import"})
    EXPECT_THAT(svg, Not(HasSubstr(loads)));
}

}  // namespace
}  // namespace heapprof
