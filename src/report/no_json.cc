// SPDX-License-Identifier: Apache-2.0
//
// In place of the files that write JSON documents, for a build without
// nlohmann-json. As CanWriteJson() says so, nothing calls the other functions.
#include "heapprof/report/can_write_json.h"
#include "heapprof/report/check.h"
#include "heapprof/report/doctor.h"
#include "heapprof/report/explain.h"
#include "heapprof/report/html.h"
#include "heapprof/report/info_json.h"
#include "heapprof/report/report_json.h"
#include "heapprof/report/trend.h"

namespace heapprof {

bool CanWriteJson() { return false; }

std::string WriteCheckJson(const CheckReport& /*report*/) { return {}; }
std::string WriteCheckErrorJson(std::string_view /*error*/) { return {}; }
std::string WriteDoctorJson(const Diagnosis& /*diagnosis*/) { return {}; }
std::string WriteExplainJson(const Waterfall& /*waterfall*/) { return {}; }
std::string WriteInfoJson(const Info& /*info*/) { return {}; }
std::string WriteTrendJson(const TrendReport& /*report*/) { return {}; }
std::string WriteTrendErrorJson(std::string_view /*error*/) { return {}; }
void WriteReportJson(const Profile& /*profile*/, const ReportData& /*report*/,
                     ByteSink& /*out*/) {}
void WriteHtml(const HtmlReport& /*report*/, bool /*may_start_thread*/,
               ByteSink& /*out*/) {}

}  // namespace heapprof
