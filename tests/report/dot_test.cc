// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/dot.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kMegabyte = 1 << 20;

GraphNode Node(std::string name, double flat, double cumulative) {
  return {
      .name = std::move(name), .flat = {{flat}}, .cumulative = {{cumulative}}};
}

CallGraph Nodes(std::vector<GraphNode> nodes, double total) {
  CallGraph graph;
  graph.nodes = std::move(nodes);
  graph.total = graph.unfiltered = {{total}};
  return graph;
}

std::string DotOfName(const std::string& name) {
  return WriteDot(Nodes({Node(name, 1, 1)}, 1), {.unit = Unit::kBytes});
}

TEST(WriteDotTest, DrawsNodesAndEdges) {
  CallGraph graph =
      Nodes({Node("main", 0, 4 * kMegabyte), Node("ns::f (inline)", 1e6, 1e6)},
            4 * kMegabyte);
  graph.nodes[0].cumulative_percent = 100;
  graph.nodes[1].flat_percent = 23.8;
  graph.edges = {{.caller = 0, .callee = 1, .sum = {{1e6}}, .inlined = true}};
  EXPECT_EQ(WriteDot(graph, {.title = "/bin/server"}),
            R"dot(digraph "/bin/server; 4.0 MB" {
node [shape=box,width=0.375,height=0.25,fontname=Helvetica];
edge [fontname=Helvetica,fontsize=12,color="#444444"];
Legend [shape=plaintext,fontsize=20,tooltip="/bin/server",label="/bin/server\lTotal: 4.0 MB\lDashed: inlined\l"];
N1 [label="main\n0.0 (0.0%)\rof 4.0 (100.0%)\r",tooltip="main",fontsize=8.0,style=filled,fillcolor="#f6b06b"];
N2 [label="ns\nf\n(inline)\n1.0 (23.8%)\r",tooltip="ns::f (inline)",fontsize=32.4,style=filled,fillcolor="#fbd8b7"];
N1 -> N2 [label=" 1.0",weight=15848,penwidth=1.43,style=dashed,tooltip="main -> ns::f (inline)"];
}
)dot");
}

TEST(WriteDotTest, DotsEdgesAcrossHiddenNodesAndSaysHowManyThereAre) {
  CallGraph graph = Nodes({Node("f", 1, 1), Node("g", 1, 1)}, 2);
  graph.edges = {{.caller = 1, .callee = 0, .sum = {{1}}, .residual = true}};
  graph.hidden_nodes = 7;
  graph.largest_hidden = 3;
  const std::string dot = WriteDot(graph, {.unit = Unit::kObjects});
  EXPECT_THAT(dot, HasSubstr("N2 -> N1 [label=\" 1\",weight=1,penwidth=2.00,"
                             "style=dotted,"));
  EXPECT_THAT(dot, HasSubstr("Hidden: 7 with at most 3 objects each\\l"
                             "Dotted: across hidden ones\\l\""));
}

TEST(WriteDotTest, ShowsTheTotalAfterFilters) {
  CallGraph graph = Nodes({Node("f", 1, 1)}, 2);
  graph.unfiltered = {{9}};
  const std::string dot = WriteDot(graph, {.unit = Unit::kBytes});
  EXPECT_THAT(dot, HasSubstr("digraph \"; 9 B\""));
  EXPECT_THAT(dot, HasSubstr("\\lTotal: 9 B\\lShown: 2 B\\l\""));
}

TEST(WriteDotTest, PaintsDecreasesBlue) {
  const std::string dot = WriteDot(
      Nodes({Node("f", -5, -10), Node("g", 5, 5)}, -5), {.unit = Unit::kBytes});
  EXPECT_THAT(dot, HasSubstr("Orange grew, blue shrank"));
  EXPECT_THAT(dot, HasSubstr("-5 (0.0%)\\rof -10 (0.0%)\\r\",tooltip=\"f\","
                             "fontsize=43.4,style=filled,fillcolor="
                             "\"#8aafd9\""));
  EXPECT_THAT(WriteDot(Nodes({Node("g", 5, 5)}, 5), {}),
              Not(HasSubstr("shrank")));
}

TEST(WriteDotTest, LeavesChanceWhite) {
  GraphNode node = Node("f", 5, 5);
  node.may_be_chance = true;
  EXPECT_THAT(WriteDot(Nodes({node}, 5), {}),
              AllOf(HasSubstr("fillcolor=\"#ffffff\""),
                    HasSubstr("blue shrank, white may be chance\\l")));
}

TEST(WriteDotTest, RoundsBothSidesAsTheTableDoes) {
  GraphNode node = Node("f", 0, 0);
  node.flat = node.cumulative = {{10.25}, {5.5}};
  EXPECT_THAT(WriteDot(Nodes({node}, 5), {.unit = Unit::kBytes}),
              HasSubstr("label=\"f\\n5 ("));
}

TEST(WriteDotTest, DrawsBothSidesOfADifferenceOfNothing) {
  CallGraph graph = Nodes({Node("f", -8, -8), Node("g", 2, 2)}, 0);
  graph.edges = {{.caller = 0, .callee = 1, .sum = {{2}}}};
  const std::string dot = WriteDot(graph, {.unit = Unit::kBytes});
  EXPECT_THAT(dot, HasSubstr("tooltip=\"f\",fontsize=58.0,style=filled,"
                             "fillcolor=\"#8aafd9\""));
  EXPECT_THAT(dot, HasSubstr("tooltip=\"g\",fontsize=33.0,style=filled,"
                             "fillcolor=\"#fad7b5\""));
  EXPECT_THAT(dot, HasSubstr("penwidth=1.50"));
}

TEST(WriteDotTest, MarksLeaksAsJeprofDoes) {
  const std::string dot =
      WriteDot(Nodes({Node("a", 5, 9), Node("b", 0, 7), Node("c", -3, 4)}, 9),
               {.mark_leaks = true});
  EXPECT_THAT(dot, HasSubstr(",style=filled,fillcolor=gray];\nN2 "));
  EXPECT_THAT(dot, HasSubstr("fontsize=8.0];\nN3 "));
  EXPECT_THAT(dot, HasSubstr(",peripheries=3];\n"));
}

TEST(WriteDotTest, FitsAPage) {
  EXPECT_THAT(WriteDot(CallGraph(), {.fit_page = true}),
              HasSubstr("{\nsize=\"8,11\";\nnode "));
}

TEST(WriteDotTest, LetsNoNameOutOfItsQuotes) {
  EXPECT_THAT(DotOfName("a\"]; b\\"),
              HasSubstr("[label=\"a\\\"];\\nb\\\\\\n1 (0.0%)\\r\","
                        "tooltip=\"a\\\"]; b\\\\\""));
  EXPECT_THAT(DotOfName("f&lt;\n\xff"),
              HasSubstr("label=\"f&amp;lt;??\\n1 (0.0%)\\r\""));
}

TEST(WriteDotTest, BreaksNamesAtScopesButNotInsideTemplateArguments) {
  EXPECT_THAT(DotOfName("::a::b<c::d, e>::f  g.cc:12"),
              HasSubstr("label=\"a\\nb<c::d, e>\\nf\\ng.cc:12\\n1 "));
}

TEST(WriteDotTest, BreaksArgumentsOnlyBetweenThem) {
  EXPECT_THAT(DotOfName("(anonymous namespace)::f(std::g<void (int)> const&, "
                        "h::i) const (inline)"),
              HasSubstr("label=\"(anonymous namespace)\\n"
                        "f(std::g<void (int)> const&amp;,\\nh::i)\\nconst\\n"
                        "(inline)\\n1 "));
  EXPECT_THAT(DotOfName("a::operator->() const"),
              HasSubstr("label=\"a\\noperator->()\\nconst\\n1 "));
  // The name of a thread may look like anything.
  EXPECT_THAT(DotOfName("[t4 a::b c]:d]"),
              HasSubstr("label=\"[t4 a::b c]:d]\\n1 "));
}

// Graphviz accepts strings of up to 16 384 bytes, and copies U+FFFF into an
// SVG, which is then not well-formed.
TEST(WriteDotTest, WritesOnlyStringsThatGraphvizAccepts) {
  std::string name;
  for (int i = 0; i < 50'000; ++i) name += "&&::\xef\xbf\xbf";
  CallGraph graph = Nodes({Node(name, 1, 1), Node(name, 1, 1)}, 2);
  graph.edges = {{.caller = 0, .callee = 1, .sum = {{1}}}};
  const std::string dot = WriteDot(graph, {.title = name});
  EXPECT_THAT(dot, Not(HasSubstr("\xef\xbf\xbf")));
  size_t start = 0;
  for (size_t at = dot.find('"'); at != dot.npos; at = dot.find('"', at + 1)) {
    EXPECT_LT(at - start, 16'384u);
    start = at;
  }
}

TEST(WriteDotTest, ShortensLongNamesInTheBoxOnly) {
  const std::string name(81, 'x');
  const std::string dot = DotOfName(name);
  EXPECT_THAT(dot, HasSubstr("label=\"" + name.substr(1) + "...\\n"));
  EXPECT_THAT(dot, HasSubstr("tooltip=\"" + name + "\""));
}

TEST(WriteDotTest, CutsNoCharacter) {
  std::string name = "x";
  for (int i = 0; i < 79; ++i) name += "ö";
  EXPECT_THAT(DotOfName(name), HasSubstr("label=\"" + name + "\\n"));
  EXPECT_THAT(DotOfName(name + "öö"), HasSubstr("label=\"" + name + "...\\n"));
}

}  // namespace
}  // namespace heapprof
