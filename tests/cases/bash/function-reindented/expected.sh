#!/bin/sh
# Builds and tests.
set -e
MODE=fast
JOBS=4

build() {
    echo "building"
    cat <<END
keep
  this
END
    make -j "$JOBS" all install
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
