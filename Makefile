# Everything here needs Go and a POSIX shell, and leaves nothing behind in the tree.
.DEFAULT_GOAL := help
.PHONY: help tour live docs workshop hint finale test browser watch story cover chaos bench cost fuzz mutants check

GO          ?= go
STAGE       ?= deltafifo
BENCH       ?= .
BENCHTIME   ?= 200ms
FUZZTIME    ?= 10s
SEEDS       ?= 100
QUEUE       ?= DeltaFIFO
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GREMLINS    := github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
# The kinds of mutants that gremlins leaves out unless it is told.
MUTANTS     := --invert-logical --invert-loopctrl --invert-assignments --invert-bitwise \
  --invert-bwassign --remove-self-assignments

help:  ## say what make can do here
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

tour:  ## watch one object travel from an HTTP server into a handler (ARGS=-fast)
	@$(GO) run ./docs/tour $(ARGS)

live:  ## an informer on a page: hold a stage, step, break things (ARGS="-queue RealFIFO")
	@$(GO) run ./docs/live $(ARGS)

docs:  ## read the chapters, the package docs and the source in a browser (ARGS="-addr HOST:PORT")
	@$(GO) run ./docs/site $(ARGS)

test:  ## vet everything, then run every test under the race detector
	@echo "== go vet ./..."
	@$(GO) vet ./...
	@race="-race "; why=$$($(GO) list -race . 2>&1 >/dev/null) || { race=; \
	  echo "== Testing without the race detector, which needs a C compiler ($$why)"; }; \
	echo "== go test $$race./..."; $(GO) test $$race./...

# SHOTS is a folder for screenshots of the scenes.
browser:  ## test the live page in a headless Chromium (SHOTS=folder keeps screenshots)
	@echo "== BROWSER=1 go test -run Browser ./docs/live"
	@BROWSER=1 SHOTS=$(abspath $(SHOTS)) $(GO) test -count=1 -v -run Browser ./docs/live

watch:  ## read a stage as a story: make watch STAGE=indexer
	@if ! ls $(STAGE)/testdata/*.story >/dev/null 2>&1; then \
	  echo "No stories in $(STAGE). STAGE is one of:" \
	    $$(ls */testdata/*.story 2>/dev/null | cut -d/ -f1 | uniq) >&2; exit 1; fi
	@echo "== go test -v -count=1 -run Stories ./$(STAGE)"
	@GOTRACEBACK=all $(GO) test -v -count=1 -run Stories ./$(STAGE)

# STORY is also what the tests read: a file to play instead of the stage's own stories.
story: STORY ?= $(or $(TMPDIR),/tmp)/watchglass-$(subst /,-,$(STAGE)).story
story:  ## write a story of your own: make story STAGE=indexer (or STORY=FILE), edit it, again
	@if [ ! -e $(STAGE)/testdata/story.template ]; then \
	  echo "No template in $(STAGE). STAGE is one of:" \
	    $$(ls -d */testdata/story.template */*/testdata/story.template 2>/dev/null | \
	      sed 's|/testdata/.*||') >&2; exit 1; fi
	@[ -e "$(STORY)" ] || cp $(STAGE)/testdata/story.template "$(STORY)"
	@echo "== Your story is $(STORY). Edit it, and run this again: make story STAGE=$(STAGE)" \
	  "$(if $(filter command line environment,$(origin STORY)),STORY=$(STORY))"
	@case "$(STORY)" in /*) file="$(STORY)";; *) file="$$PWD/$(STORY)";; esac; \
	  STORY=$$file GOTRACEBACK=all $(GO) test -v -count=1 -run '^TestStories$$' ./$(STAGE)

chaos:  ## faults, writers and handlers at random, in virtual time: make chaos SEEDS=1000 (or SEED=7)
	@echo "== go test -run TestChaos ./informer:" \
	  "$(if $(SCRIPT),$(SCRIPT) with a $(QUEUE),$(if $(SEED),seed $(SEED),$(SEEDS) seeds))"
	@SEEDS=$(SEEDS) SEED=$(SEED) SCRIPT=$(abspath $(SCRIPT)) QUEUE=$(QUEUE) \
	  $(GO) test -count=1 -timeout 1h -run 'TestChaos$$' ./informer

workshop:  ## the exercises: what is solved, what is next (WATCH=1: again after each change)
	@$(GO) run ./docs/workshop $(if $(WATCH),watch)

hint:  ## the next hint of an exercise: make hint E=3.2
	@$(GO) run ./docs/workshop hint $(or $(E),$(error Which exercise? make hint E=3.2))

finale:  ## plays your story on a broken stage: make finale M=A (ACCEPT=1: writes the states first)
	@$(GO) run ./docs/workshop finale $(or $(M),$(error Which mutant? make finale M=A)) $(if $(ACCEPT),accept)

cover:  ## say how much of each package the tests reach, and which functions they do not
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; trap 'exit 1' INT TERM; \
	echo "== go test -cover ./..."; $(GO) test -coverprofile="$$dir/profile" ./... && \
	echo "== Functions of which a part is never reached" && \
	$(GO) tool cover -func="$$dir/profile" | awk '$$NF != "100.0%"'

bench:  ## measure the hot paths: make bench BENCH=Distribute BENCHTIME=2s
	@echo "== go test -bench '$(BENCH)' -benchtime $(BENCHTIME) ./..."
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -benchtime $(BENCHTIME) ./...

cost:  ## measure how cost grows, and redraw appendix B from it (some minutes, on a quiet machine)
	@echo "== go test -run '^$$' -bench Growth -benchtime 500ms -count 3 ./docs/cost"
	@$(GO) test -run '^$$' -bench Growth -benchtime 500ms -count 3 -timeout 1h ./docs/cost >docs/cost/bench.new || \
	  { cat docs/cost/bench.new; rm docs/cost/bench.new; exit 1; }
	@mv docs/cost/bench.new docs/cost/bench.txt && $(GO) run ./docs/cost

fuzz:  ## run each fuzz target for FUZZTIME (10s); a crasher stays in its testdata/fuzz
	@list=$$($(GO) test -list '^Fuzz' ./...) || { echo "$$list"; exit 1; }; \
	echo "$$list" | awk '/^Fuzz/ { t[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, t[i]; n = 0 }' | \
	while read -r pkg target; do \
	  echo "== $$pkg $$target for $(FUZZTIME)"; \
	  $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$pkg" </dev/null || exit 1; \
	done

# It works on copies of the tree. A mutant has ten times as long as all tests of the stage take, so
# each one that never ends costs that much: a small number would call slow compilers deadlocks.
mutants:  ## break a stage in small ways, and list what no test notices: make mutants STAGE=indexer
	@echo "== gremlins unleash ./$(STAGE) (the first time, Go fetches it)"
	@$(GO) run $(GREMLINS) unleash ./$(STAGE) $(MUTANTS) --workers 2 --timeout-coefficient 10 \
	  --output-statuses lct

check:  ## everything that is not a test: format, lint, modules, what the docs say, house rules
	@echo "== gofmt -l ."
	@bad=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .) || exit 1; if [ -n "$$bad" ]; then echo "$$bad"; \
	  echo "These are not formatted. gofmt -w . mends it."; exit 1; fi
	@echo "== staticcheck ./... (the first time, Go fetches it), without the exercises: they are open"
	@$(GO) run $(STATICCHECK) $$($(GO) list ./... | grep -v '/docs/workshop/[0-9p]')
	@echo "== go mod tidy -diff"
	@$(GO) mod tidy -diff || { echo "go mod tidy mends it."; exit 1; }
	@echo "== SEEDS=100 go test -run TheModelSays ./fakeapi: 100,000 steps (without SEEDS, a fifth)"
	@SEEDS=100 $(GO) test -count=1 -run TheModelSays ./fakeapi
	@echo "== go test ./docs/verify, which reads what the docs quote and the rules of the house"
	@$(GO) test -count=1 ./docs/verify
	@echo "== go run ./docs/workshop check: stubs open, solutions right, wrong answers wrong"
	@$(GO) run ./docs/workshop check
