; Exercise 16. Takes h for the scores and gives it back as y: it assembles, it is safe, and it is
; wrong.
.program on-chip-dispatch
.memory 1088

LD d=0 n=8 x=0       ; h
AMAX d=8 a=0 n=8
ST a=8 n=1 x=40      ; where the expert's index belongs
ST a=0 n=8 x=41      ; where y belongs
HALT
