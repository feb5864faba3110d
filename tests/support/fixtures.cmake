# SPDX-License-Identifier: Apache-2.0
#
# Fixtures are the same in every build tree, so a tree can use another one's.
set(HEAPPROF_FIXTURE_TREE ${PROJECT_BINARY_DIR} CACHE PATH
    "Build tree whose fixtures the tests use; build its `fixtures` first")
set(own_fixtures OFF)
if(HEAPPROF_FIXTURE_TREE STREQUAL PROJECT_BINARY_DIR)
  set(own_fixtures ON)
endif()
if(NOT TARGET fixtures)
  add_custom_target(fixtures)
endif()
cmake_path(RELATIVE_PATH CMAKE_CURRENT_BINARY_DIR
           BASE_DIRECTORY ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE fixture_dir)
set(fixture_dir ${HEAPPROF_FIXTURE_TREE}/${fixture_dir}/fixtures)

# heapprof_fixture(NAME COMMAND WORD... [DEPENDS FILE...])
#
# Makes ${fixture_dir}/NAME by running COMMAND, which ends with "-o" and gets
# that path appended, and NAME.nm, the symbols that binutils sees in it.
# Appends both to `fixture_files` of the caller.
#
# The compilers are fixed, and know nothing of the flags of this build.
find_program(HEAPPROF_GXX g++ REQUIRED)
find_program(HEAPPROF_CLANGXX clang++-19 REQUIRED)
find_program(HEAPPROF_NM nm REQUIRED)
file(MAKE_DIRECTORY ${fixture_dir})

function(heapprof_fixture name)
  cmake_parse_arguments(arg "" "" "COMMAND;DEPENDS" ${ARGN})
  set(output ${fixture_dir}/${name})
  add_custom_command(
    OUTPUT ${output} ${output}.nm
    COMMAND ${arg_COMMAND} ${output}
    COMMAND ${HEAPPROF_NM} --no-demangle --defined-only --print-size ${output}
            > ${output}.nm
    DEPENDS ${arg_DEPENDS}
    WORKING_DIRECTORY ${fixture_dir}
    VERBATIM)
  set(fixture_files ${fixture_files} ${output} ${output}.nm PARENT_SCOPE)
endfunction()

# heapprof_use_fixtures(TARGET): builds all of them before TARGET, which finds
# them in the directory HEAPPROF_FIXTURES.
function(heapprof_use_fixtures target)
  if(own_fixtures)
    add_custom_target(${target}_fixtures DEPENDS ${fixture_files})
    add_dependencies(fixtures ${target}_fixtures)
    add_dependencies(${target} ${target}_fixtures)
  endif()
  target_compile_definitions(${target} PRIVATE
    HEAPPROF_FIXTURES="${fixture_dir}")
endfunction()
