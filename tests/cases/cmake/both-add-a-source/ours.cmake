cmake_minimum_required(VERSION 3.20)
project(app)
set(FLAGS "-O2")
set(SOURCES
    a.cc
    b.cc
    c.cc
)
if(WITH_GPU)
  find_package(CUDA)
endif()
add_library(core ${SOURCES})
target_link_libraries(core PUBLIC m)

function(add_unit name)
  add_executable(${name} ${name}.cc)
endfunction()
