cd app &&
  make -j &&
  make test
