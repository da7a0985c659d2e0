.memory 8
.data 0 1 2 3
LD d=0 n=3 x=0
VADD d=255 a=0 b=0 n=2      ; cells 255 and 256
ST a=255 n=1 x=4
HALT
