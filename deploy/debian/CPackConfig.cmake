# Makes the .deb of a staged tree: scripts/package calls cpack with this file, and these variables of the environment:
#   TRAWL_STAGE     the folder that holds the tree as it will lie below /
#   TRAWL_VERSION   the package's version, with its revision
#   TRAWL_GLIBC     the glibc that the tree needs
#   TRAWL_CONTROL   the folder with the scripts and lists that go beside `control`
#   TRAWL_CONTACT   who answers for the package: NAME <MAIL>
#   TRAWL_COMPRESSION  xz or gzip
set(CPACK_PACKAGE_DIRECTORY "$ENV{TRAWL_STAGE}.made")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME trawl)
set(CPACK_PACKAGE_VERSION "$ENV{TRAWL_VERSION}")
set(CPACK_PACKAGE_CONTACT "$ENV{TRAWL_CONTACT}")
set(CPACK_INSTALLED_DIRECTORIES "$ENV{TRAWL_STAGE};.")
set(CPACK_PACKAGING_INSTALL_PREFIX "/")
set(CPACK_PACKAGE_FILE_NAME trawl)
set(CPACK_STRIP_FILES OFF)

set(CPACK_DEBIAN_PACKAGE_NAME trawl)
set(CPACK_DEBIAN_PACKAGE_VERSION "$ENV{TRAWL_VERSION}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= $ENV{TRAWL_GLIBC}), adduser, ca-certificates")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "systemd, prometheus")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_COMPRESSION_TYPE "$ENV{TRAWL_COMPRESSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "batch web crawler for data teams")
set(CPACK_PACKAGE_DESCRIPTION "Trawl fetches the pages of a set of sites, round after round, and keeps them
as tables (ORC) on local disk, HDFS or S3. It asks each host for one page at a
time, obeys robots.txt, loses no URL whichever process is killed, and says for
each URL what happened to it and why.

The package brings the program with its libraries, man pages, completion for
bash, zsh and fish, and units for systemd that are not enabled.")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
file(GLOB CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "$ENV{TRAWL_CONTROL}/*")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
