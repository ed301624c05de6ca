void f(int a) {
  init(a);
#ifdef QUEUE
  flush(a);
#endif
  stop(a);
}
