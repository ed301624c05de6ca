void launch(int arch) {
#if ARCH < 900
  step<4>(p, n);
#else
  step<4>(p, n);
#endif
}
