; Two 4 x 4 matrices, each the whole tile: Y = A B.
.program tile
.memory 48
.data 0 1 2 3 4 5 6 7 8 -1 -2 -3 -4 9 8 7 6
.data 16 1 0 0 1 0 1 0 1 0 0 1 1 2 0 0 1
.output y 32 4 4 1

LD d=0 n=32 x=0                            ; A in scratchpad 0..15, B in 16..31
MM d=0 a=0 b=16 m=4 k=4 n=4 sa=4 sb=4 sd=4
RQ acc=1 d=32 a=0 n=16 mult=1
ST a=32 n=16 x=32
HALT
