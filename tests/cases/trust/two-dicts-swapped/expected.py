B = {
    1: "one",
    2: "two",
    3: "three",
}

A = {
    1: "one",
    2: "two",
    3: "three",
    4: "four",
}
