// SPDX-License-Identifier: Apache-2.0
#include "report/xml_escaped.h"

#include <cstddef>

#include "heapprof/base/append_format.h"
#include "heapprof/base/printable.h"
#include "report/valid_utf8.h"

namespace heapprof {

std::string XmlEscaped(std::string_view text) {
  std::string escaped;
  const std::string valid = ValidUtf8(Printable(text));
  for (size_t i = 0; i < valid.size(); ++i) {
    const std::string_view rest = std::string_view(valid).substr(i);
    if (rest.starts_with("\xef\xbf\xbe") || rest.starts_with("\xef\xbf\xbf")) {
      escaped += '?';
      i += 2;
    } else if (std::string_view("&<>\"'").contains(valid[i])) {
      AppendFormat(escaped, "&#{};", int{valid[i]});
    } else {
      escaped += valid[i];
    }
  }
  return escaped;
}

}  // namespace heapprof
