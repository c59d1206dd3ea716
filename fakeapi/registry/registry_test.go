package registry

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A fixture is a registry without a server.
type fixture struct {
	t *testing.T
	*Registry
}

func newFixture(t *testing.T) fixture {
	limits := store.Limits{Bytes: 1 << 30, Age: time.Hour, Behind: 1000}
	r, err := New(store.New(limits, nil), object.DefaultResources(), true)
	require.NoError(t, err)
	return fixture{t, r}
}

func (r fixture) collection(name string) *Collection {
	r.t.Helper()
	c := r.Catalog().Named(name)
	require.NotNil(r.t, c, name)
	return c
}

func (r fixture) create(name, text string) {
	r.t.Helper()
	c, t := r.collection(name), treeOf(r.t, text)
	t["kind"], t["apiVersion"] = c.Type.Kind, c.Type.APIVersion()
	_, err := c.Create(r.t.Context(), 0, func() (object.Tree, error) { return t, nil }, false)
	require.NoError(r.t, err, text)
}

func (r fixture) remove(resource, namespace, name string) {
	r.t.Helper()
	_, _, err := r.collection(resource).Remove(r.t.Context(),
		Removal{Namespace: namespace, Name: name})
	require.NoError(r.t, err)
}

// Between a look of the garbage collector and its write, an object may be replaced.
func TestTheCollectorChangesOnlyTheObjectThatItHasSeen(t *testing.T) {
	r := newFixture(t)
	c, web := r.collection("widgets"), `{"metadata":{"name":"web-1","namespace":"default",
		"finalizers":["a/b"]}}`
	r.create("widgets", strings.Replace(web, `"a/b"`, "", 1))
	seen := c.ownedAs(c.Get("default/web-1"))
	r.remove("widgets", "default", "web-1")
	assert.Error(t, seen.disown(t.Context(), nil), "it is gone")
	r.create("widgets", web)
	seen.drop(t.Context(), "a/b")
	assert.Equal(t, []string{"a/b"}, c.ownedAs(c.Get("default/web-1")).Finalizers)
	seen.remove(t.Context(), background)
	assert.False(t, c.Get("default/web-1").Deleting)

	r.create("widgets", `{"metadata":{"name":"owner","namespace":"default","finalizers":["orphan"]}}`)
	owner := c.ownedAs(c.Get("default/owner"))
	owner.orphan(t.Context(), []*owned{seen})
	assert.Equal(t, []string{"orphan"}, c.ownedAs(c.Get("default/owner")).Finalizers,
		"what took the dependent's place may refer to the owner, too")
}

// The real server tries eight names, too.
func TestANameIsGeneratedEightTimesAtMost(t *testing.T) {
	r := newFixture(t)
	r.create("widgets", `{"metadata":{"name":"web-taken","namespace":"default"}}`)
	for free, created := range map[int]bool{1: true, 2: true, 8: true, 9: false} {
		tries := 0
		r.newName = func(prefix string) string {
			if tries++; tries == free {
				return fmt.Sprint(prefix, "free-", free)
			}
			return prefix + "taken"
		}
		c := r.collection("widgets")
		for _, dryRun := range []bool{true, false} {
			tries = 0
			d, err := c.Create(t.Context(), 0, func() (object.Tree, error) {
				return object.Tree{"kind": "Widget", "apiVersion": c.Type.APIVersion(),
					"metadata": object.Tree{"generateName": "web-", "namespace": "default"}}, nil
			}, dryRun)
			if assert.Equal(t, min(free, 8), tries); created {
				require.NoError(t, err)
				assert.Equal(t, fmt.Sprint("web-free-", free), d.Name)
				continue
			}
			s := status.Of(err)
			assert.Equal(t, `widgets.workshop.example.dev "web-taken" already exists, the server was not `+
				"able to generate a unique name for the object", s.Message)
			assert.Equal(t, "409 AlreadyExists 1",
				fmt.Sprint(s.Code, " ", s.Reason, " ", s.Details.RetryAfterSeconds))
		}
	}
}

// change changes an object, for instance lets it go by removing its finalizers.
func (r fixture) change(resource, namespace, name string, change func(object.Tree)) {
	r.t.Helper()
	_, err := r.collection(resource).Update(r.t.Context(), Update{Namespace: namespace, Name: name,
		Patch: true, Change: func(present object.Tree) (object.Tree, error) {
			t := object.Copy(present).(object.Tree)
			change(t)
			return t, nil
		}})
	require.NoError(r.t, err)
}

func letGo(t object.Tree) { delete(object.MetaOf(t), "finalizers") }

// A write has a turn, so that none finds what it was computed from changed.
func TestWritesAreComputedOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newFixture(t)
		r.create("configmaps", `{"metadata":{"name":"web-1","namespace":"default"}}`)
		decoded, calls, wait := 0, 0, make(chan struct{})
		var all sync.WaitGroup
		for _, key := range []string{"a", "b"} {
			all.Go(func() {
				r.change("configmaps", "default", "web-1", func(t object.Tree) {
					calls++
					<-wait
					object.SetAt(t, ".data."+key, "x")
				})
			})
			synctest.Wait()
		}
		all.Go(func() {
			_, err := r.collection("configmaps").Create(t.Context(), 0, func() (object.Tree, error) {
				decoded++
				return nil, errors.New("not JSON")
			}, false)
			assert.ErrorContains(t, err, "not JSON")
		})
		synctest.Wait()
		assert.Equal(t, 1, calls, "the others wait")
		assert.Zero(t, decoded, "and a body is not decoded before its turn")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _, err := r.collection("configmaps").Remove(ctx, Removal{Namespace: "default", Name: "web-1"})
		assert.Equal(t, context.DeadlineExceeded, err, "one that has no time left gives up")
		close(wait)
		all.Wait()
		assert.Equal(t, 2, calls, "each is computed once")
		assert.Contains(t, string(r.collection("configmaps").Get("default/web-1").Raw),
			`{"a":"x","b":"x"}`)
		r.store.Close()
	})
}

// The namespace or the definition of an object may be deleted after a create has passed
// all checks. The create has to notice that when it commits.
func TestACreateThatComesTooLateIsRefused(t *testing.T) {
	r := newFixture(t)
	const definitions = "customresourcedefinitions"
	r.create(definitions, levers)
	r.create("namespaces", `{"metadata":{"name":"shop","finalizers":["a/b"]}}`)
	c := r.collection("levers")
	late := func() error {
		_, err := c.createAs(object.Tree{"kind": "Lever", "apiVersion": "example.dev/v1",
			"metadata": object.Tree{"name": "web-1", "namespace": "shop"}}, false)
		return err
	}
	r.remove("namespaces", "", "shop")
	assert.ErrorContains(t, late(), "because it is being terminated")
	r.change("namespaces", "", "shop", letGo)
	assert.ErrorContains(t, late(), `namespaces "shop" not found`)
	r.create("namespaces", `{"metadata":{"name":"shop"}}`)
	require.NoError(t, late(), "namespace and definition exist")

	r.remove(definitions, "", "levers.example.dev")
	assert.ErrorContains(t, late(), `levers.example.dev "web-1" not found`,
		"the definition is deleted")
	r.create(definitions, levers)
	assert.ErrorContains(t, late(), `levers.example.dev "web-1" not found`,
		"the definition was created anew, with another collection")
}

// Namespaces and definitions whose content is kept by finalizers stay deleted for long. A write
// looks only at the one that it may have emptied.
func TestAWriteLooksOnlyAtTheNamespaceThatItMayHaveEmptied(t *testing.T) {
	held := func(r fixture, namespace string) {
		r.create("namespaces", `{"metadata":{"name":"`+namespace+`"}}`)
		for _, kind := range []string{"pods", "secrets"} {
			r.create(kind, `{"metadata":{"name":"web-1","namespace":"`+namespace+`","finalizers":["a/b"]}}`)
		}
		r.remove("namespaces", "", namespace)
	}
	work := func(namespaces int) float64 {
		r := newFixture(t)
		for i := range namespaces {
			held(r, fmt.Sprint("kept-", i))
		}
		return testing.AllocsPerRun(5, func() {
			held(r, "shop")
			r.create("pods", `{"metadata":{"name":"db-1","namespace":"default"}}`)
			r.remove("pods", "default", "db-1")
			r.change("pods", "shop", "web-1", letGo)
			require.NotNil(t, r.collection("namespaces").Get("shop"), "it still has a secret")
			r.change("secrets", "shop", "web-1", letGo)
			require.Nil(t, r.collection("namespaces").Get("shop"), "its last object has been removed")
		})
	}
	assert.Less(t, work(100), 1.1*work(0), "allocations with 100 deleted namespaces, and without")
}

// Each removal asks whether it was the last in its namespace, and copies no list to find out.
func TestOneOfManyObjectsInADeletedNamespaceIsRemovedAtTheCostOfOne(t *testing.T) {
	r := newFixture(t)
	r.create("namespaces", `{"metadata":{"name":"shop"}}`)
	for i := range 4_000 {
		r.create("secrets", fmt.Sprintf(
			`{"metadata":{"name":"s-%d","namespace":"shop","finalizers":["a/b"]}}`, i))
	}
	r.remove("namespaces", "", "shop")
	before := story.Allocated()
	for i := range 100 {
		r.change("secrets", "shop", fmt.Sprint("s-", i), letGo)
	}
	assert.Less(t, (story.Allocated()-before)/100, 4_000*16, "bytes: the list alone has more")
}

// Decoded, a schema takes fifty times the memory of its bytes, for as long as it is served.
func TestASchemaIsKeptAsBytes(t *testing.T) {
	r := newFixture(t)
	schema := `"x-a":[` + strings.TrimSuffix(strings.Repeat(`{"":0},`, 100_000), ",") + `],"type"`
	before := story.Heap()
	r.create("customresourcedefinitions", strings.Replace(levers, `"type"`, schema, 1))
	assert.Less(t, story.Heap()-before, 3*len(schema),
		"bytes: once in the definition, once in the type")
	assert.Contains(t, string(r.collection("levers").Type.Schema), `{"":0},{"":0}`)
}

func TestGeneratedNames(t *testing.T) {
	assert.Regexp(t, `^web-[bcdfghjklmnpqrstvwxz2456789]{5}$`, generateName("web-"))
	assert.Len(t, generateName(strings.Repeat("x", 200)), 63, "however long the prefix is")
	assert.NotEqual(t, generateName("web-"), generateName("web-"), "no two are alike")
}

func TestDefaultsAreFilledIn(t *testing.T) {
	r, first := newFixture(t), map[string]string{}
	for _, row := range story.Laws(t, "defaults") {
		var d defaults
		typ, o := r.collection(row[1]).Type, treeOf(t, row[2])
		want := any(treeOf(t, row[3]))
		if text := first[row[1]]; text != "" {
			want = object.MergePatch(treeOf(t, text), want)
		} else {
			first[row[1]] = row[3]
		}
		again := object.Copy(o).(object.Tree)
		d.complete(typ, nil, o)
		d.complete(typ, o, again)
		assert.Equal(t, o, again, "an update that leaves out the same fields changes nothing: %s", row)
		assert.Equal(t, want, o, row[0])
	}
}

func treeOf(t *testing.T, text string) object.Tree {
	t.Helper()
	tree, err := object.DecodeTree([]byte(text))
	require.NoError(t, err, text)
	return tree
}

func TestAServiceKeepsItsAddress(t *testing.T) {
	var d defaults
	typ := newFixture(t).collection("services").Type
	service := func(was, spec object.Tree) object.Tree {
		o := object.Tree{"spec": spec}
		d.complete(typ, was, o)
		return o
	}
	address := func(o object.Tree) string { return object.TextAt(o, ".spec.clusterIP") }
	one, two := service(nil, object.Tree{}), service(nil, object.Tree{})
	assert.Equal(t, "10.96.1.1 10.96.1.2", address(one)+" "+address(two))
	assert.Equal(t, "10.96.1.1", address(service(one, object.Tree{"type": "NodePort"})))
	external := service(one, object.Tree{"type": "ExternalName", "clusterIP": "10.96.1.1"})
	assert.NotContains(t, external["spec"], "clusterIP", "an ExternalName loses it")

	d.given.Store(1<<20 - 256 - 3)
	assert.Equal(t, "10.111.255.254", address(service(nil, object.Tree{})),
		"no service gets the broadcast address")
	assert.Equal(t, "10.96.1.0", address(service(nil, object.Tree{})),
		"addresses are reused after all others")
}

// levers is a definition, and version its only version without the closing brace.
const (
	version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":` +
		`{"type":"object"}}`
	levers = `{"metadata":{"name":"levers.example.dev"},"spec":{"group":"example.dev",
		"scope":"Namespaced","names":{"plural":"levers","kind":"Lever","singular":"lever",
		"listKind":"LeverList"},"versions":[` + version + `}]}}`
)

// defined returns the definition of levers with a change: a merge patch in which VERSION stands
// for version.
func defined(t *testing.T, change string) object.Tree {
	t.Helper()
	return object.MergePatch(treeOf(t, levers),
		treeOf(t, strings.ReplaceAll(change, "VERSION", version))).(object.Tree)
}

func TestADefinitionIsValidated(t *testing.T) {
	times := regexp.MustCompile(`(\.a|{},)\*(\d+)`)
	for _, row := range story.Laws(t, "definitions") {
		change := times.ReplaceAllStringFunc(row[1], func(s string) string {
			what, n, _ := strings.Cut(s, "*")
			count, _ := strconv.Atoi(n)
			return strings.Repeat(what, count)
		})
		var errs status.FieldErrors
		validateDefinition(&errs, nil, defined(t, change))
		assert.Contains(t, status.Invalid(status.About{}, errs).Message, row[2], row[0])
	}
	var errs status.FieldErrors
	cluster := defined(t, `{"spec":{"scope":"Cluster"}}`)
	validateDefinition(&errs, defined(t, `{}`), cluster)
	assert.ErrorContains(t, status.Invalid(status.About{}, errs), "field is immutable")
}
