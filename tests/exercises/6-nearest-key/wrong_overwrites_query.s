.program nearest-key
.memory 85
LD d=0 n=80 x=0                               ; query 0..15, keys 16..79
MM bt=1 d=0 a=0 b=16 k=16 m=1 n=4 sa=16 sb=16 sd=4
RQ acc=1 d=81 a=0 n=4 mult=1 shift=11
VADD d=0 a=0 b=0 n=1
AMAX d=80 a=81 n=4
ST a=0 n=85 x=0
HALT
