cd app &&
  make -j &&
  make lint &&
  make test
