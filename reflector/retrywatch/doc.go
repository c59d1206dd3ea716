// Package retrywatch is a watch that survives reconnects. It is for programs that need the next
// change of an object that they know already: wait until this Pod is ready, follow this Job to its
// end. The smallest use, after a list:
//
//	for event, err := range retrywatch.From(ctx, client, list.ResourceVersion) {
//		if err != nil {
//			return err // events may be missing from here on: list again
//		}
//		…
//	}
//
// # What is promised
//
//   - The loop body gets each event once, in the order of the server, across as many watches as
//     that takes.
//   - The loop ends when events may be missing, and its last error says why.
//   - Two watches start at least a second apart.
//
// # What is not promised
//
// It is no replacement for a reflector, because a watch from a version says what changed and not
// what is there:
//
//   - It needs a version to begin with, so there has been a list before it.
//   - When the server compacts that version, the loop ends. Only another list can show what was
//     created and changed in the meantime, and only a comparison with what was known before finds
//     the deletions. The reflector lists, and the queue compares.
//   - It keeps no objects: a program that asks "what is there now?" needs a cache.
package retrywatch
