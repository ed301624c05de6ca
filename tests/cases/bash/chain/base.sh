cd app && make && make test
