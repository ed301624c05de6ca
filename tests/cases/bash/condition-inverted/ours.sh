if [ -z "$CACHE" ]; then
  prepare
  fetch
else
  prepare
  fetch
fi
