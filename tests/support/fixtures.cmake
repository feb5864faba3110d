# heapprof_fixture(NAME COMMAND WORD... [DEPENDS FILE...])
#
# Makes ${CMAKE_CURRENT_BINARY_DIR}/fixtures/NAME by running COMMAND, which
# ends with "-o" and gets that path appended, and NAME.nm, the symbols that
# binutils sees in it. Appends both to `fixture_files` of the caller.
#
# The compilers are fixed, and know nothing of the flags of this build.
find_program(HEAPPROF_GXX g++ REQUIRED)
find_program(HEAPPROF_CLANGXX clang++-19 REQUIRED)
find_program(HEAPPROF_NM nm REQUIRED)
set(fixture_dir ${CMAKE_CURRENT_BINARY_DIR}/fixtures)
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
  add_custom_target(${target}_fixtures DEPENDS ${fixture_files})
  add_dependencies(${target} ${target}_fixtures)
  target_compile_definitions(${target} PRIVATE
    HEAPPROF_FIXTURES="${fixture_dir}")
endfunction()
