.program on-chip-dispatch
.memory 1120
LD d=0 n=40 x=0
LD d=1000 n=1024 x=64
MM d=0 a=0 b=8 k=8 m=1 n=4 sa=8 sb=4 sd=4
RQ acc=1 d=40 a=0 n=4 mult=1 shift=7
AMAX d=44 a=40 n=4
MM d=0 a=0 b=1000 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=4 a=0 b=1004 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=8 a=0 b=1008 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=12 a=0 b=1012 k=8 m=1 n=4 sa=8 sb=16 sd=16
RQ acc=1 relu=1 d=320 a=0 n=16 mult=1 shift=7
MM d=0 a=320 b=1512 k=16 m=1 n=4 sa=16 sb=8 sd=8
MM d=4 a=320 b=1516 k=16 m=1 n=4 sa=16 sb=8 sd=8
RQ acc=1 d=336 a=0 n=8 mult=3 shift=10
VADD d=400 a=0 b=336 n=8
MM d=0 a=0 b=1128 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=4 a=0 b=1132 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=8 a=0 b=1136 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=12 a=0 b=1140 k=8 m=1 n=4 sa=8 sb=16 sd=16
RQ acc=1 relu=1 d=320 a=0 n=16 mult=1 shift=7
MM d=0 a=320 b=1640 k=16 m=1 n=4 sa=16 sb=8 sd=8
MM d=4 a=320 b=1644 k=16 m=1 n=4 sa=16 sb=8 sd=8
RQ acc=1 d=336 a=0 n=8 mult=3 shift=10
VADD d=408 a=0 b=336 n=8
MM d=0 a=0 b=1256 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=4 a=0 b=1260 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=8 a=0 b=1264 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=12 a=0 b=1268 k=8 m=1 n=4 sa=8 sb=16 sd=16
RQ acc=1 relu=1 d=320 a=0 n=16 mult=1 shift=7
MM d=0 a=320 b=1768 k=16 m=1 n=4 sa=16 sb=8 sd=8
MM d=4 a=320 b=1772 k=16 m=1 n=4 sa=16 sb=8 sd=8
RQ acc=1 d=336 a=0 n=8 mult=3 shift=10
VADD d=416 a=0 b=336 n=8
MM d=0 a=0 b=1384 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=4 a=0 b=1388 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=8 a=0 b=1392 k=8 m=1 n=4 sa=8 sb=16 sd=16
MM d=12 a=0 b=1396 k=8 m=1 n=4 sa=8 sb=16 sd=16
RQ acc=1 relu=1 d=320 a=0 n=16 mult=1 shift=7
MM d=0 a=320 b=1896 k=16 m=1 n=4 sa=16 sb=8 sd=8
MM d=4 a=320 b=1900 k=16 m=1 n=4 sa=16 sb=8 sd=8
RQ acc=1 d=336 a=0 n=8 mult=3 shift=10
VADD d=424 a=0 b=336 n=8
ST a=400 n=32 x=1088                            ; y of every expert
LDX d=45 a=44 n=8 rows=4 x=1088
ST a=44 n=9 x=40
HALT
