# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` copies, and the Debian package of `cpack`.
include(GNUInstallDirs)
set(HEAPPROF_ZSH_FOLDER ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    CACHE STRING "Where zsh looks for completions")
install(TARGETS heapprof RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES proto/heapprof.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/heapprof)

# Optional: a build of the program alone does not make these.
set(manual ${PROJECT_BINARY_DIR}/src/cli/manual)
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(FILES ${manual}/bash/heapprof OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/zsh/_heapprof OPTIONAL
        DESTINATION ${HEAPPROF_ZSH_FOLDER})
install(FILES ${manual}/fish/heapprof.fish OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The project has no mailbox, but Debian asks for an address: RFC 2606 keeps
# .invalid for those that cannot exist.
set(HEAPPROF_MAINTAINER "heapprof maintainers <maintainers@heapprof.invalid>"
    CACHE STRING "Maintainer of the Debian package")

# Debian's policy asks for a changelog and for the licences. The date is that of
# the commit, so that the same sources make the same package.
set(notes ${PROJECT_BINARY_DIR}/package_notes)
file(CONFIGURE OUTPUT ${notes}/changelog CONTENT
"heapprof (@PROJECT_VERSION@) unstable; urgency=medium

  * Release @PROJECT_VERSION@.

 -- @HEAPPROF_MAINTAINER@  @HEAPPROF_CHANGELOG_DATE@
" @ONLY)
add_custom_command(OUTPUT ${notes}/changelog.gz
  COMMAND gzip -9nkf ${notes}/changelog DEPENDS ${notes}/changelog VERBATIM)
add_custom_target(package_notes DEPENDS ${notes}/changelog.gz)
install(FILES ${notes}/changelog.gz src/copyright OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/heapprof)

# The package of a project that contains this one is its own.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

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
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "binutils, graphviz, libdebuginfod1")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "reads jemalloc heap dumps and says who holds the memory")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"heapprof names the functions in heap dumps of jemalloc, and shows who holds
the memory, what grew since another dump, and how exact the numbers are. It
replaces jeprof, with the same options, and writes flame graphs, HTML
reports, pprof profiles and verdicts for continuous integration.")
include(CPack)
