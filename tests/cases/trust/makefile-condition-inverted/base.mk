LIBS = -lm
ifdef DEBUG
FLAGS = -O1
else
FLAGS = -O1
endif
