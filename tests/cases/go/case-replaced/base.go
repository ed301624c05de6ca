package main

func run(kind int) {
	switch kind {
	case 1:
		begin(kind)
	case 2:
		begin(kind)
	}
}
