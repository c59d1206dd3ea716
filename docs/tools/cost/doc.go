// Cost measures what one object costs among many, and writes the table and the picture of appendix
// B.
//
//	make cost
//
// takes some minutes. Machines differ and are noisy. So of several rounds the quickest counts, and
// no times are shown, only how they grow with the number of objects within one run.
package main
