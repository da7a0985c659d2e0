; Exercise 12. Fetches a row of the table and stores half of it: it assembles, it is safe, and it is
; wrong.
.program stem-block
.memory 5824

LD d=0 n=16 x=1024   ; the row of token 0, whatever the token is
ST a=0 n=8 x=528     ; where y belongs
HALT
