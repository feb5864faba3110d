// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/profiler_settings.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

ProfilerSettings Read(std::string_view text) {
  ProfilerSettings settings;
  settings.Apply(text);
  return settings;
}

TEST(ProfilerSettingsTest, HasTheDefaultsOfJemalloc) {
  const ProfilerSettings none;
  EXPECT_FALSE(none.IsOn());
  EXPECT_FALSE(none.IsActive());
  EXPECT_EQ(none.SamplingPeriod(), 524288u);
  EXPECT_TRUE(Read("prof:true").IsActive());
  EXPECT_FALSE(Read("prof_active:true").IsActive());
}

TEST(ProfilerSettingsTest, ReadsEverySetting) {
  const ProfilerSettings all = Read(
      "narenas:2,prof:true,prof_active:false,lg_prof_sample:12,"
      "prof_prefix:/tmp/a:b,prof_sys_thread_name:true,prof_final:true,"
      "prof_thread_active_init:false");
  EXPECT_TRUE(all.IsOn());
  EXPECT_FALSE(all.IsActive());
  EXPECT_EQ(all.SamplingPeriod(), 4096u);
  EXPECT_EQ(all.prefix, "/tmp/a:b");
  EXPECT_EQ(all.samples_threads, false);
  EXPECT_EQ(all.names_threads, true);
  EXPECT_EQ(all.dumps_at_exit, true);
  EXPECT_FALSE(all.dumps_by_itself);
  EXPECT_EQ(all.malformed, "");
}

TEST(ProfilerSettingsTest, TheLastOneCounts) {
  ProfilerSettings settings = Read("prof:true,prof:false");
  EXPECT_FALSE(settings.IsOn());
  settings.Apply("prof:true");
  EXPECT_TRUE(settings.IsOn());
  settings.Apply("");
  EXPECT_TRUE(settings.IsOn());
}

TEST(ProfilerSettingsTest, KnowsWhatDumpsByItself) {
  EXPECT_TRUE(Read("lg_prof_interval:30").dumps_by_itself);
  EXPECT_FALSE(Read("lg_prof_interval:-1").dumps_by_itself);
  EXPECT_TRUE(Read("prof_gdump:true").dumps_by_itself);
  EXPECT_FALSE(Read("prof_gdump:false").dumps_by_itself);
}

// As jemalloc: a wrong value is skipped, a wrong form ends the text.
TEST(ProfilerSettingsTest, SaysWhatJemallocDoesNotUnderstand) {
  const ProfilerSettings value = Read("prof:yes,lg_prof_sample:17");
  EXPECT_FALSE(value.IsOn());
  EXPECT_EQ(value.malformed, "prof:yes");
  EXPECT_EQ(value.SamplingPeriod(), 131072u);
  const ProfilerSettings form = Read("prof:true, lg_prof_sample:17");
  EXPECT_TRUE(form.IsOn());
  EXPECT_EQ(form.malformed, " lg_prof_sample:17");
  EXPECT_EQ(form.SamplingPeriod(), 524288u);
  EXPECT_EQ(Read("prof").malformed, "prof");
  EXPECT_EQ(Read("lg_prof_sample:99").SamplingPeriod(), 0u);
  EXPECT_EQ(Read("lg_prof_sample:1x").SamplingPeriod(), 524288u);
}

}  // namespace
}  // namespace heapprof
