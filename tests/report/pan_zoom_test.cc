// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/pan_zoom.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::HasSubstr;

TEST(WithPanAndZoomTest, AddsAScriptAtTheEndOfThePicture) {
  const std::string svg =
      "<svg viewBox=\"0 0 9 9\"><text>&lt;/svg&gt;</text>\n</svg>\n";
  const std::string made = WithPanAndZoom(svg);
  const size_t begin = made.find("<script>");
  const std::string_view kEnd = "</script>\n";
  const size_t end = made.rfind(kEnd) + kEnd.size();
  EXPECT_EQ(made.substr(0, begin) + made.substr(end), svg);
  EXPECT_EQ(made.substr(end), "</svg>\n");
  EXPECT_THAT(made, HasSubstr("\"viewBox\""));
}

TEST(WithPanAndZoomTest, AddsNothingThatEndsTheScriptOrLoadsFiles) {
  const std::string made = WithPanAndZoom("</svg>");
  EXPECT_EQ(made.find("]]>"), made.rfind("]]>"));
  for (const char* loads : {"http", "import", "fetch", "src=", "href"})
    EXPECT_EQ(made.find(loads), made.npos) << loads;
}

TEST(WithPanAndZoomTest, LeavesOtherTextAsItIs) {
  EXPECT_EQ(WithPanAndZoom(""), "");
  EXPECT_EQ(WithPanAndZoom("<svg> cut short"), "<svg> cut short");
}

}  // namespace
}  // namespace heapprof
