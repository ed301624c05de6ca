#pragma once

#include <memory>
#include <vector>

namespace app::cache {

enum class Policy : int { kLru, kFifo };

// Maps keys to slots.
class Table {
 public:
  explicit Table(size_t slots) : slots_(slots), hits_(0) {}

  int find(int key) const;
  int find(const char* name) const;

  void reset() {
    hits_ = 0;
    entries_.clear();
  }

 private:
  size_t slots_;
  size_t hits_;
  std::vector<int> entries_;
};

int Table::find(int key) const {
  for (int entry : entries_) {
    if (entry == key) return entry;
  }
  return -1;
}

int Table::find(const char* name) const {
  for (int entry : entries_) {
    if (entry == hash(name)) return entry;
  }
  return -1;
}

template <typename T>
T clamp(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}

inline bool valid(long key, bool strict = false) {
  return key >= 0 && key < kMaxKey;
}

}  // namespace app::cache
