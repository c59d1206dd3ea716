package rvinformer_test

import (
	"context"
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer/rvinformer"
	"example.com/watchglass/reflector/wire"
)

// printer stands for the code that writes to a database.
type printer struct{}

func (printer) OnAdd(obj watchglass.Object, _ bool) error    { return say("insert", obj) }
func (printer) OnUpdate(obj watchglass.Object, _ bool) error { return say("update", obj) }
func (printer) OnDelete(obj watchglass.Object, _ bool) error { return say("delete", obj) }
func (printer) OnSync(watchglass.Object) error               { return nil }

func say(what string, obj watchglass.Object) error {
	_, err := fmt.Println(what, obj.GetName())
	return err
}

// The next run compares its first list with the saved versions, and so finds what has changed while
// the mirror was down.
func Example() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	client, err := wire.NewClient[widget](wire.ClientOptions{
		URL:        fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
		HTTPClient: server.Client(),
	})
	if err != nil {
		panic(err)
	}
	// run mirrors the first list, and returns what the mirror holds then.
	run := func(saved map[string]string) map[string]string {
		mirror := rvinformer.New(rvinformer.Options{
			ListerWatcher: client,
			Handler:       printer{},
			Versions:      saved,
		})
		ctx, stop := context.WithCancel(context.Background())
		go func() {
			<-mirror.Synced()
			stop()
		}()
		_ = mirror.Run(ctx)
		return mirror.Versions()
	}

	for _, name := range []string{"web-1", "web-2"} {
		_, _ = server.Create("widgets", &widget{ObjectMeta: watchglass.ObjectMeta{Name: name}})
	}
	saved := run(nil)
	fmt.Println("down")
	_ = server.Delete("widgets", "default", "web-1")
	run(saved)
	// Output:
	// insert web-1
	// insert web-2
	// down
	// delete web-1
}
