; Adds two vectors of four and finds the largest sum.
.program add
.memory 16
.data 0 10 -20 30 100
.data 4 1 2 3 50
.output sum 8 1 4 1
.output largest 12 1 1 0

LD d=0 n=8 x=0          ; both vectors, scratchpad 0..7
VADD d=8 a=0 b=4 n=4    ; saturating: 100 + 50 is 127
AMAX d=12 a=8 n=4
ST a=8 n=5 x=8
HALT
