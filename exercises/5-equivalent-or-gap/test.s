; The test that all six mutants pass: every vector instruction once, on ordinary values.
.program test
.memory 96
.data 0 12 -7 30 5 -20 3 9 -1
LD d=0 n=8 x=0
VADD d=8 a=0 b=0 n=8
RQ d=16 a=8 n=8 mult=3 shift=2 relu=1
SM d=24 a=16 n=8 scale=131072
AMAX d=32 a=24 n=8
ST a=8 n=25 x=64
HALT
