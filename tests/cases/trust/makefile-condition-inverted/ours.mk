LIBS = -lm
ifndef DEBUG
FLAGS = -O1
else
FLAGS = -O1
endif
