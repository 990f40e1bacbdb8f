# Libraries that manylink is linked with. CMakeLists.txt includes this file; an installed copy gives it to
# find_package(manylink), together with the library.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(MANYLINK REQUIRED IMPORTED_TARGET yaml-0.1 jansson libxxhash zlib)
# hdf5-serial is Debian's, where plain hdf5 may be an MPI build. Dimension scales are in the high-level
# library, which has no pkg-config file there.
pkg_check_modules(MANYLINK_HDF5 IMPORTED_TARGET hdf5-serial)
if(MANYLINK_HDF5_FOUND)
  find_library(HDF5_HL_LIBRARY NAMES hdf5_serial_hl hdf5_hl HINTS ${MANYLINK_HDF5_LIBRARY_DIRS} REQUIRED)
  set(manylink_hdf5 ${HDF5_HL_LIBRARY} PkgConfig::MANYLINK_HDF5)
  list(PREPEND MANYLINK_LDFLAGS ${HDF5_HL_LIBRARY} ${MANYLINK_HDF5_LDFLAGS})
else()
  find_package(HDF5 REQUIRED COMPONENTS C HL)
  set(manylink_hdf5 hdf5::hdf5_hl hdf5::hdf5)
  list(PREPEND MANYLINK_LDFLAGS ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
endif()
if(NOT TARGET manylink::dependencies)
  add_library(manylink::dependencies INTERFACE IMPORTED)
  target_link_libraries(manylink::dependencies INTERFACE
    ${manylink_hdf5} PkgConfig::MANYLINK OpenMP::OpenMP_C ${CMAKE_DL_LIBS} m)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/manylinkTargets.cmake OPTIONAL)
