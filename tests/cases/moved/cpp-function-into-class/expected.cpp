class Table {
public:
    int size() const { return size_; }

    static int find(const Row* rows, int count, int key) {
        for (int i = 0; i < count; ++i) {
            if (rows[i].key == key && rows[i].alive) {
                return i;
            }
        }
        return -1;
    }

private:
    int size_ = 0;
};
