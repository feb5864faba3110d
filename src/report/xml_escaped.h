// SPDX-License-Identifier: Apache-2.0
//
// Text for XML documents.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heapprof {

// Returns `text` without what XML cannot express: control characters, invalid
// UTF-8, U+FFFE and U+FFFF become "?". Nothing is escaped.
std::string XmlText(std::string_view text);

// A name may have megabytes, which a browser takes long to lay out. Pages cut
// texts to this many characters.
inline constexpr size_t kLongestPageText = 2000;

// Escapes XmlText() for the content of an XML element or for an attribute.
std::string XmlEscaped(std::string_view text);

}  // namespace heapprof
