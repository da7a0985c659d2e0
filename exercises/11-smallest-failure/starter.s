; Exercise 11: the report as it came in. Make it smaller.
; Two rows of 40 are scaled and added, mixed by a small matrix, and ranked; then all is stored.
.program report
.memory 410
.data 0 17 -3 44 9 -28 31 6 -50 12 23 -7 38 -16 2 29 -41 5 19 -33 8
.data 20 27 -12 40 -1 14 -25 36 3 -46 21 10 -19 33 -8 45 -30 7 16 -22 11
.data 40 -5 26 -37 18 1 -14 48 -9 34 -27 13 20 -42 4 39 -17 30 -6 24 -35
.data 60 15 -2 43 -20 32 -11 6 28 -39 22 -4 47 -24 9 35 -13 41 -29 2 37
.data 80 3 -1 2 0 1 -2 4 1 0 2 -3 1 5 -1 0 2

LD d=180 n=96 x=0               ; rows at 180 and 220, the matrix at 260
RQ d=300 a=180 n=40 mult=3 shift=1
RQ d=340 a=220 n=40 mult=1 shift=1
VADD d=384 a=300 b=340 n=40
VADD d=432 a=180 b=300 n=40
VADD d=472 a=432 b=384 n=40
RQ d=600 a=472 n=40 mult=1 shift=2
RQ d=740 a=432 n=40 mult=1 shift=1
MM d=0 a=384 b=260 m=4 k=4 n=4 sa=4 sb=4 sd=4
RQ acc=1 d=512 a=0 n=16 mult=1 shift=3
VADD d=528 a=512 b=600 n=16
VADD d=1000 a=600 b=740 n=40
VADD d=1100 a=384 b=432 n=40
SM d=544 a=1000 n=32 scale=131072
AMAX d=576 a=544 n=32
RQ d=1140 a=1100 n=40 mult=5 shift=4
ST a=384 n=40 x=100
ST a=432 n=80 x=140
ST a=512 n=32 x=220
ST a=544 n=33 x=252
ST a=740 n=40 x=290
ST a=1100 n=80 x=330
HALT
