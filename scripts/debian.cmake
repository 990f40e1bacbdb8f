# What Debian asks of a package beside the installed files: compressed pages, and a changelog.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
file(WRITE ${share}/doc/manylink/changelog
"manylink (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * CHANGELOG.md of the sources has the changes.

 -- ${CPACK_PACKAGE_CONTACT}  Thu, 01 Jan 1970 00:00:00 +0000
")
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -n9 ${pages} ${share}/doc/manylink/changelog COMMAND_ERROR_IS_FATAL ANY)
