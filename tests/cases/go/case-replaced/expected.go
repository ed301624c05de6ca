package main

func run(kind int) {
	switch kind {
	case 1:
		begin(kind)
	case 3:
		begin(kind, true)
	}
}
