; A row of four times a 4 x 4 matrix: y = x B.
.program row
.memory 24
.data 0 1 2 3 4
.data 4 1 0 0 1
.data 8 0 1 0 1
.data 12 0 0 1 1
.data 16 2 0 0 1
.output y 20 1 4 1

LD d=0 n=20 x=0                            ; x in scratchpad 0..3, B in 4..19
MM d=0 a=0 b=4 m=1 k=4 n=4 sa=4 sb=4 sd=4
RQ acc=1 d=20 a=0 n=4 mult=1               ; int32 to int8, as they are
ST a=20 n=4 x=20
HALT
