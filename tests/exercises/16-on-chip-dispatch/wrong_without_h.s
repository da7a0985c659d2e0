.program on-chip-dispatch
.memory 1088
LD d=0 n=40 x=0                                 ; h 0..7, W_r 8..39
MM d=0 a=0 b=8 k=8 m=1 n=4 sa=8 sb=4 sd=4
RQ acc=1 d=40 a=0 n=4 mult=1 shift=7            ; scores
AMAX d=44 a=40 n=4                              ; the route, then y right behind it
LDX d=64 a=44 n=128 rows=4 x=64                 ; W1 of that expert
LDX d=192 a=44 n=128 rows=4 x=576               ; W2
MM d=0 a=0 b=64 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=4 a=0 b=68 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=8 a=0 b=72 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=12 a=0 b=76 k=8 m=1 n=4 sa=8 sb=16 sd=16
RQ acc=1 relu=1 d=320 a=0 n=16 mult=1 shift=7
MM d=0 a=320 b=192 k=16 m=1 n=4 sa=16 sb=8 sd=8
MM d=4 a=320 b=196 k=16 m=1 n=4 sa=16 sb=8 sd=8
RQ acc=1 d=336 a=0 n=8 mult=3 shift=10
RQ acc=1 d=45 a=0 n=8 mult=3 shift=10
ST a=44 n=9 x=40
HALT
