// SPDX-License-Identifier: Apache-2.0
#include "report/xml_escaped.h"

#include "heapprof/base/append_format.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/replace_all.h"
#include "report/valid_utf8.h"

namespace heapprof {

std::string XmlText(std::string_view text) {
  const std::string valid = ValidUtf8(Printable(text));
  return ReplaceAll(ReplaceAll(valid, "\xef\xbf\xbe", "?"), "\xef\xbf\xbf",
                    "?");
}

std::string XmlEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : XmlText(text))
    if (std::string_view("&<>\"'").contains(c))
      AppendFormat(escaped, "&#{};", int{c});
    else
      escaped += c;
  return escaped;
}

}  // namespace heapprof
