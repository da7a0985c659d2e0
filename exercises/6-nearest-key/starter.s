; Exercise 6. Stores an index and four scores, but does not compute them: it assembles, it is safe,
; and it is wrong.
.program nearest-key
.memory 85

LD d=0 n=5 x=0      ; five values of the query
ST a=0 n=5 x=80     ; where the results belong
HALT
