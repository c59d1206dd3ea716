// Workshop shows where you are in the exercises beside it, gives hints, and checks the exercises
// themselves.
//
//	go run ./docs/workshop              the board (make workshop)
//	go run ./docs/workshop try 3.2      compiles one exercise and runs its laws (make try E=3.2)
//	go run ./docs/workshop watch        the board, then what changes (make workshop WATCH=1)
//	go run ./docs/workshop hint 3.2     the next hint (make hint E=3.2; in the finale, E=A)
//	go run ./docs/workshop finale A     plays your story on a broken stage (make finale M=A)
//	go run ./docs/workshop check        for authors: is every exercise what it promises to be?
//
// An exercise is a directory such as 3_2_missing with
//
//	README.md               goal, picture, predict, task, three hints, what to compare with
//	missing.go              the stub: documented, it compiles, its body is panic("TODO")
//	missing_test.go         the laws, skipped until the body is written
//	testdata/answers.txt    a worked answer, as a patch of the stub, and plausible mistakes in it,
//	                        as patches of the answer, with the law that each fails by
//
// There is no record of which exercises have been solved: the board runs the tests and reads the
// sources each time. Of a mutant it remembers which story exposed it, in the user's cache
// directory. The environment variable TRACK=half leaves the exercises of half a day.
package main
