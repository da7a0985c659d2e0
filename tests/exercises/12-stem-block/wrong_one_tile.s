.program stem-block
.memory 5824
LD d=0 n=520 x=0                                ; x 0..7, W_g 8..135, W_d 136..263, silu 264..519
LDXW d=520 n=16 rows=300 w=520 x=1024           ; the token's row
MM d=0 a=0 b=8 k=8 m=1 n=4 sa=8 sb=16 sd=16     ; x W_g, four columns at a time
MM d=4 a=0 b=12 k=8 m=1 n=4 sa=8 sb=16 sd=16
RQ acc=1 d=536 a=0 n=16 mult=1 shift=7
LUT d=536 a=536 b=264 n=16
VMUL d=536 a=536 b=520 n=16 mult=3 shift=7
MM d=0 a=536 b=136 k=16 m=1 n=4 sa=16 sb=8 sd=8
MM d=4 a=536 b=140 k=16 m=1 n=4 sa=16 sb=8 sd=8
RQ acc=1 d=552 a=0 n=8 mult=5 shift=9
ST a=552 n=8 x=528
HALT
