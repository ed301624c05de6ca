set(SOURCES
  main.cc
  util.cc
)
target_link_libraries(app PRIVATE rt m dl)
