# What manylink is linked with. CMakeLists.txt includes this file; an installed copy gives it to
# find_package(manylink), together with the library.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
# hdf5-serial: plain hdf5 may be an MPI build.
pkg_check_modules(MANYLINK REQUIRED IMPORTED_TARGET hdf5-serial yaml-0.1 jansson libxxhash zlib)
# Dimension scales are in the high-level library, which has no pkg-config file of its own.
find_library(HDF5_HL_LIBRARY NAMES hdf5_serial_hl hdf5_hl HINTS ${MANYLINK_LIBRARY_DIRS} REQUIRED)
if(NOT TARGET manylink::dependencies)
  add_library(manylink::dependencies INTERFACE IMPORTED)
  target_link_libraries(manylink::dependencies INTERFACE
    ${HDF5_HL_LIBRARY} PkgConfig::MANYLINK OpenMP::OpenMP_C ${CMAKE_DL_LIBS} m)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/manylinkTargets.cmake OPTIONAL)
