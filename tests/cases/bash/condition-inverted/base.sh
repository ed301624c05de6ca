if [ -n "$CACHE" ]; then
  prepare
  fetch
else
  prepare
  fetch
fi
