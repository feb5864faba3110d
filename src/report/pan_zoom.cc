// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/pan_zoom.h"

#include <fmt/core.h>

#include "report/assets.h"

namespace heapprof {

std::string WithPanAndZoom(std::string svg) {
  const size_t end = svg.rfind("</svg>");
  if (end != svg.npos)
    svg.insert(end, fmt::format("<script><![CDATA[\n{}]]></script>\n",
                                Asset("pan_zoom.js").text));
  return svg;
}

}  // namespace heapprof
