void f(int a) {
  init(a);
  stop(a);
}
