# SPDX-License-Identifier: Apache-2.0
#
# Makes version.cc, which says which build this is. The version itself is that
# of project() in the main CMakeLists.txt, and nowhere else.
set(build "")
if(HEAPPROF_REVISION)
  list(APPEND build "revision ${HEAPPROF_REVISION}")
endif()
if(HEAPPROF_STATIC)
  list(APPEND build "linked statically")
endif()
list(JOIN build ", " build)
set(version_text "heapprof ${PROJECT_VERSION}\n")
if(build)
  string(APPEND version_text "${build}\n")
endif()
string(APPEND version_text
  "elfutils ${libdw_VERSION}, ISA-L ${libisal_VERSION}, "
  "zstd ${libzstd_VERSION}, liblzma ${liblzma_VERSION}, "
  "bzip2 ${BZIP2_VERSION_STRING}\n"
  "PCRE2 ${libpcre2_VERSION}, protobuf ${Protobuf_VERSION}, "
  "fmt ${fmt_VERSION}\n")
configure_file(args/version.cc.in version.cc @ONLY)
