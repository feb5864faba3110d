// SPDX-License-Identifier: Apache-2.0
#include "report/field_writer.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(FieldWriterTest, AlignsTextsAfterTheirKeys) {
  FieldWriter out(80);
  out.Line("app.heap");
  out.Field("program", "/srv/app");
  out.Blank();
  out.Item("item");
  EXPECT_EQ(std::move(out).Finish(),
            "app.heap\n"
            "  program           /srv/app\n"
            "\n"
            "  - item\n");
}

TEST(FieldWriterTest, KeepsAmountsOnOneLine) {
  FieldWriter out(24);
  out.Paragraph("the total grows by 12.5 ± 3.2 MiB/h, then by 3 B and 4 Bytes");
  EXPECT_EQ(std::move(out).Finish(),
            "the total grows by\n"
            "12.5 ± 3.2 MiB/h, then\n"
            "by 3 B and 4 Bytes\n");
}

TEST(FieldWriterTest, BreaksBetweenWordsAndIndents) {
  FieldWriter out(30);
  out.Field("key", "one two three four");
  out.Sentence("a sentence that is too long for it");
  EXPECT_EQ(std::move(out).Finish(),
            "  key               one two\n"
            "                    three four\n"
            "  a sentence that is too long\n"
            "  for it\n");
}

TEST(FieldWriterTest, KeepsWordsThatAreLongerThanALine) {
  FieldWriter out(24);
  out.Field("file", "/srv/long/path/to/app x");
  EXPECT_EQ(std::move(out).Finish(),
            "  file              /srv/long/path/to/app\n"
            "                    x\n");
}

TEST(FieldWriterTest, EscapesLineBreaksOfCommands) {
  FieldWriter out(24);
  out.Command("curl -fL", {"-o a b", "-o c d"});
  EXPECT_EQ(std::move(out).Finish(),
            "    curl -fL -o a b \\\n"
            "      -o c d\n");
}

TEST(FieldWriterTest, LetsNoControlCharacterThrough) {
  FieldWriter out(80);
  out.Line("a\x1b[1m");
  out.Field("k", "b\nc");
  EXPECT_EQ(std::move(out).Finish(), "a?[1m\n  k                 b?c\n");
}

}  // namespace
}  // namespace heapprof
