// SPDX-License-Identifier: Apache-2.0
#include "report/xml_escaped.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(XmlEscapedTest, EscapesMarkup) {
  EXPECT_EQ(XmlEscaped("a<b>&\"c'"), "a&#60;b&#62;&#38;&#34;c&#39;");
  EXPECT_EQ(XmlEscaped("größer → 1"), "größer → 1");
}

TEST(XmlEscapedTest, ReplacesWhatXmlCannotExpress) {
  EXPECT_EQ(XmlEscaped("a\x01\x7f\xff"), "a???");
  EXPECT_EQ(XmlEscaped("\xef\xbf\xbe|\xef\xbf\xbf|\xef\xbf\xbd"),
            "?|?|\xef\xbf\xbd");
  EXPECT_EQ(XmlEscaped("\u202e"), "?");
  EXPECT_EQ(XmlEscaped("##[command]"), "#?[command]");
}

}  // namespace
}  // namespace heapprof
