# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` copies, and the Debian package of `cpack`.
include(GNUInstallDirs)
set(manual ${PROJECT_BINARY_DIR}/src/cli/manual)
install(TARGETS heapprof RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES proto/heapprof.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/heapprof)
# Optional: a build of the program alone does not make these.
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(FILES ${manual}/bash/heapprof OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/zsh/_heapprof OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${manual}/fish/heapprof.fish OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(HEAPPROF_MAINTAINER "heapprof maintainers <maintainers@heapprof.invalid>"
    CACHE STRING "Maintainer of the Debian package")

# Debian's policy asks for a changelog and for the licences. The date is that of
# the commit, so that equal sources make equal packages.
set(changelog ${PROJECT_BINARY_DIR}/changelog)
file(CONFIGURE OUTPUT ${changelog} CONTENT
"heapprof (@PROJECT_VERSION@) unstable; urgency=medium

  * Release @PROJECT_VERSION@.

 -- @HEAPPROF_MAINTAINER@  @HEAPPROF_CHANGELOG_DATE@
" @ONLY)
add_custom_command(OUTPUT ${changelog}.gz
  COMMAND gzip -9nkf ${changelog} DEPENDS ${changelog} VERBATIM)
add_custom_target(changelog ALL DEPENDS ${changelog}.gz)
install(FILES ${changelog}.gz src/copyright OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/heapprof)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heapprof)
set(CPACK_PACKAGE_CONTACT ${HEAPPROF_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libjemalloc2)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS binutils graphviz libdebuginfod1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"reads jemalloc heap dumps and says who holds the memory
 heapprof names the functions in heap dumps of jemalloc, and shows who holds
 the memory, what grew since another dump, and how exact the numbers are. It
 replaces jeprof, with the same options, and writes flame graphs, HTML reports,
 pprof profiles and verdicts for continuous integration.")
string(REPLACE ";" ", " CPACK_DEBIAN_PACKAGE_SUGGESTS
       "${CPACK_DEBIAN_PACKAGE_SUGGESTS}")
include(CPack)
