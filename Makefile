# Blockstep. The scripts do the work; each can be run by itself.

.PHONY: serve dev dist release test test-web test-bindings test-npm doc advisories fuzz bench bench-page bench-study bench-hostile screenshot clean

serve: ## build the page quickly and serve it at http://127.0.0.1:8080 (PORT=... for another port)
	@bash scripts/serve.sh

dev: ## the same, and build and reload it whenever a source is changed
	@bash scripts/serve.sh --dev

dist: ## the static site in dist/, as small and fast as it gets
	@bash scripts/dist.sh

release: ## what a release page holds, in release/: site, program with the page in it, packages for Python and JavaScript, lists of parts, sums
	@bash scripts/release.sh

test: ## every check of the page and of the command line
	@bash scripts/test.sh

test-web: ## tests of components in Chromium and Firefox, with what `make serve` has compiled (BROWSER=chrome or firefox for one of them, TEST=menu for some tests)
	@TEST="$(TEST)" bash scripts/web.sh --profile quick

test-bindings: ## the Python package: its wheel is built, installed and tested (BLOCKSTEP_PYTHON=... for another Python)
	@bash scripts/bindings.sh

test-npm: ## the package for JavaScript: it is built, packed and tested in Node.js, and with Vite and webpack in Chromium
	@bash scripts/npm.sh

doc: ## what rustdoc says of the crates in target/doc; it fails at a warning, such as a link that leads nowhere
	@bash -c '. scripts/env.sh && node scripts/doc.mjs'

advisories: ## whether a crate has a known weakness; the list is fetched from elsewhere
	@bash scripts/advisories.sh

fuzz: ## fresh seeds for every property, and a million damaged or dear inputs (CASES=... for another number): no panic, no more work than there is, no case of more than 200 MB; a hill climber looks for the unit of work that takes most time of the processor, and most bytes
	@bash scripts/fuzz.sh

bench: ## speed of the engine and the drawing, natively; fails if a second of the processor does too few units of work
	@cargo bench -p blockstep-benches

bench-page: ## speed and memory of the page in Chromium
	@bash scripts/bench-page.sh

bench-study: ## speed of studies in Chromium beside the command line
	@cargo build --release --locked
	@bash scripts/dist.sh
	@node scripts/bench-study.mjs

bench-hostile: ## how long hostile input keeps the page silent in Chromium (BLOCKSTEP_FACTOR=... for a slower machine)
	@bash scripts/bench-hostile.sh

screenshot: ## the picture of the README
	@bash scripts/screenshot.sh

clean:
	@cargo clean
	@rm -rf dist
