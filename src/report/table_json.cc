// SPDX-License-Identifier: Apache-2.0
#include "report/table_json.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

Json RelatedArray(const std::vector<CallerOrCallee>& related,
                  const std::vector<std::string>& names) {
  Json array = Json::array();
  for (const CallerOrCallee& other : related) {
    Json object = Json::object();
    AddText("name", names[other.name], object);
    object["value"] = WholeNumber(other.value);
    array.push_back(std::move(object));
  }
  return array;
}

Json RowObject(const CallersCalleesRow& row,
               const std::vector<std::string>& names) {
  Json object = Json::object();
  AddText("name", names[row.name], object);
  object["flat"] = WholeNumber(row.flat);
  object["cumulative"] = WholeNumber(row.cumulative);
  object["callers"] = RelatedArray(row.callers, names);
  object["callees"] = RelatedArray(row.callees, names);
  return object;
}

std::string_view NameOf(CallTreeRowKind kind) {
  switch (kind) {
    case CallTreeRowKind::kFunction:
      return "function";
    case CallTreeRowKind::kEnd:
      return "end";
    case CallTreeRowKind::kRest:
      return "rest";
  }
  return "";
}

class TableMembers {
 public:
  explicit TableMembers(MemberLines& out) : out_(out) {}

  void operator()(std::monostate) {}

  void operator()(const CallersCalleesTable& table) {
    out_.AddArray("tree", table.rows, [&table](const CallersCalleesRow& row) {
      return RowObject(row, table.names);
    });
  }

  void operator()(const DirectedCallTree& directed) {
    const CallTree& tree = directed.tree;
    out_.AddArray(
        directed.direction == CallDirection::kCallers ? "callers" : "callees",
        tree.rows, [&tree](const CallTreeRow& row) {
          const bool is_function = row.kind == CallTreeRowKind::kFunction;
          Json object = {{"depth", row.depth}, {"kind", NameOf(row.kind)}};
          AddText("name", is_function ? tree.names[row.name] : "", object);
          if (row.kind == CallTreeRowKind::kRest) object["count"] = row.count;
          object["value"] = WholeNumber(row.value);
          return object;
        });
  }

  void operator()(const TraceTable& table) {
    out_.AddArray("frames", table.labels, [](const std::string& label) {
      Json object = Json::object();
      AddText("name", label, object);
      return object;
    });
    WholeValues whole;
    out_.AddArray("traces", table.traces, [&](const Trace& trace) {
      return Json{{"value", whole.Next(trace.value)},
                  {"frames", table.FramesOf(trace)}};
    });
  }

 private:
  MemberLines& out_;
};

}  // namespace

void AddTable(const RequestedTable& table, MemberLines& out) {
  std::visit(TableMembers(out), table);
}

}  // namespace heapprof
