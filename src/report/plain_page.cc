// SPDX-License-Identifier: Apache-2.0
#include "report/plain_page.h"

#include <fmt/format.h>

#include "report/assets.h"

namespace heapprof {

std::string PlainPageStart(std::string_view title, std::string_view style,
                           std::string_view version) {
  const EmbeddedFile& base = Asset("html.css");
  const EmbeddedFile& own = Asset(style);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
      "charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; base-uri 'none'; form-action 'none'; "
      "style-src 'sha256-{}' 'sha256-{}'\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta "
      "name=\"generator\" content=\"heapprof {}\">\n<title>{} - "
      "heapprof</title>\n<style>{}</style>\n<style>{}</style>\n</head>\n"
      "<body>\n<header>\n<h1>{}</h1>\n</header>\n<main>\n",
      base.sha256, own.sha256, version, title, base.text, own.text, title);
}

}  // namespace heapprof
