// What every unit bench has: a clock, counted checks, one closing line. Included inside the bench
// module, after `localparam NAME`. The simulation ends when the clock stops.
reg     clk = 1'b0;
reg     over = 1'b0;
integer checks = 0;

initial while (!over) #5 clk = ~clk;

initial begin : watchdog
  #50000000;
  if (!over) fail("the bench did not end", 0, 0);
end

task fail(input [48*8-1:0] law, input [63:0] got, input [63:0] want);
  begin
    $display("FAIL %0s law=%0s check=%0d got=%0d (%h) want=%0d", NAME, law, checks, got, got,
             want);
    $fatal(0);
  end
endtask

// An X anywhere in `got` is a failure.
task expect_eq(input [48*8-1:0] law, input [63:0] got, input [63:0] want);
  begin
    checks = checks + 1;
    if (got !== want) fail(law, got, want);
  end
endtask

task finish;
  begin
    $display("PASS %0s checks=%0d", NAME, checks);
    over = 1'b1;
  end
endtask
