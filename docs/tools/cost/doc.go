// Cost turns the output of the benchmarks beside it into the table and the picture of appendix B.
//
//	make cost
//
// runs the benchmarks, which takes some minutes, keeps their output in bench.txt, and rewrites
// growth.svg and the table in docs/b-cost.md from it. A test compares them, so they can't be edited
// by hand. Machines differ and are noisy. So of several rounds the quickest counts, and no times
// are shown, only how they grow with the number of objects within one run.
package main
