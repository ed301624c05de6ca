import b
import c
import a

x = 1
