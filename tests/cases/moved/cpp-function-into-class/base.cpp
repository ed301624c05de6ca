class Table {
public:
    int size() const { return size_; }

private:
    int size_ = 0;
};

static int find(const Row* rows, int count, int key) {
    for (int i = 0; i < count; ++i) {
        if (rows[i].key == key) {
            return i;
        }
    }
    return -1;
}
