case $1 in
  go|start|run) begin ;;
esac
