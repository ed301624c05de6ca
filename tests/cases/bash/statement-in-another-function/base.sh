#!/bin/sh
# Builds and tests.
set -e
MODE=fast
JOBS=4

build() {
  echo "building"
  make -j "$JOBS" all
}

case "$1" in
  build)
    build
    ;;
  test)
    make test
    ;;
esac

if [ "$MODE" = fast ]; then
  echo "fast"
fi

python -m server \
  --port 80 \
  --log out
