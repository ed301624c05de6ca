#include <iostream>

void show(const Point& p) {
  std::cout << "x " << p.x << '\n';
  std::cout << "y " << p.y << '\n';
}

extern "C" {
unsigned version(void);
int revision(void);
}
