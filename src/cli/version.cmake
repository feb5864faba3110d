# SPDX-License-Identifier: Apache-2.0
#
# Makes version.cc, which says which build this is, and HEAPPROF_DATE, the date
# of the commit. The version itself is that of project() in the main
# CMakeLists.txt, and nowhere else.

# git_output(RESULT ARGUMENT...): empty without a repository or Git.
find_package(Git QUIET)
function(git_output result)
  set(output "")
  if(GIT_FOUND)
    execute_process(COMMAND ${GIT_EXECUTABLE} ${ARGN}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

git_output(revision rev-parse --short=12 HEAD)
git_output(HEAPPROF_DATE log -1 --format=%cs)
if(NOT HEAPPROF_DATE)
  string(TIMESTAMP HEAPPROF_DATE "%Y-%m-%d" UTC)
endif()
# CMake runs again after a commit.
git_output(log rev-parse --git-path logs/HEAD)
cmake_path(ABSOLUTE_PATH log BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
if(revision AND EXISTS ${log})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
endif()

set(version_text "heapprof ${PROJECT_VERSION}\n")
if(revision)
  string(APPEND version_text "revision ${revision}\n")
endif()
string(APPEND version_text
  "elfutils ${libdw_VERSION}, ISA-L ${libisal_VERSION}, "
  "zstd ${libzstd_VERSION}, liblzma ${liblzma_VERSION}, "
  "bzip2 ${BZIP2_VERSION_STRING}\n"
  "PCRE2 ${libpcre2_VERSION}, protobuf ${Protobuf_VERSION}, "
  "fmt ${fmt_VERSION}\n")
configure_file(args/version.cc.in version.cc @ONLY)
