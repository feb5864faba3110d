# SPDX-License-Identifier: Apache-2.0
#
# Sets HEAPPROF_REVISION, the commit that is built, or nothing if it is not
# known; HEAPPROF_DATE, its date, and HEAPPROF_CHANGELOG_DATE, the same in the
# form of Debian's changelogs: today without a repository.

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

# Sources inside another repository, such as that of a package, are of none of
# its commits.
git_output(way_to_top rev-parse --show-cdup)
if(way_to_top)
  set(GIT_FOUND FALSE)
endif()
git_output(HEAPPROF_REVISION rev-parse --short=12 HEAD)
git_output(HEAPPROF_DATE log -1 --format=%cs)
git_output(HEAPPROF_CHANGELOG_DATE log -1 --format=%cD)
if(NOT HEAPPROF_DATE)
  string(TIMESTAMP HEAPPROF_DATE "%Y-%m-%d" UTC)
  string(TIMESTAMP HEAPPROF_CHANGELOG_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
# CMake runs again after a commit.
git_output(log rev-parse --git-path logs/HEAD)
cmake_path(ABSOLUTE_PATH log BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
if(HEAPPROF_REVISION AND EXISTS ${log})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
endif()
