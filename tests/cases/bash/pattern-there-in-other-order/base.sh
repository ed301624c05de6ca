case $1 in
  start|run) begin ;;
esac
