A=1
if [ -n "$Q" ]; then
export N=3
fi
B=2
