// Pipe puts what you wrote in the workshop together and runs it against a real server over HTTP:
// your informer.
//
//	make pipe
//
// In the place of exercises that are open run their solutions, and it says which. Around them stands only
// what connects them: HTTP and JSON in reflector.go, a lock and a condition in queue.go, two goroutines in
// informer.go.
//
//	server ~~▶ 1.2 frames ─▶ 2.1 outcome ─▶ 3.1 push    ─▶ 6.1 process ─▶ 5.2 pump ─▶ handler
//	                         2.2 backoff    3.2 missing    4.2 diff
//	                         4.1 keys       3.3 synced
package main
