# Thin: each target installs what is missing, builds, runs. The work is done by the scripts in tools/.
PYTHON ?= /usr/bin/python3
export PYTHON
# Settings of other Python installations must not reach Debian's.
unexport PYTHONPATH PYTHONHOME PYTHONSTARTUP
export PYTHONDONTWRITEBYTECODE = 1

.DEFAULT_GOAL := help
.PHONY: help demo test check wheel docs bench paper program report format check-format tidy check-wheels archive archive-linux r-package release clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

program: ## build the program: build/release/disc
	@tools/install_dependencies.sh program report
	@tools/build_report.sh
	@tools/build.sh $(if $(wildcard build/release/build.ninja),,-DDISC_BUILD_TESTS=OFF) release disc_program

demo: program ## simulate the paper's first problem, run DiSC on it, compare with the truth
	@tools/demo.sh

report: ## build the report page: build/report/report.html
	@tools/install_dependencies.sh report
	@tools/build_report.sh

test: ## all tests, plain and under the address and undefined-behaviour sanitizers; rules, Python package, report page, damaged files, format
	@tools/install_dependencies.sh program tests package report browser
	@tools/build_report.sh
	@tools/test.sh

check: ## what takes longer: fuzzing, the tests of parallel code under the thread sanitizer, clang-tidy, and whether all compiles for arm64
	@tools/install_dependencies.sh program tests check arm64
	@tools/build.sh release disc
	@tools/test.sh damage calls fuzz tsan tidy arm64

wheel: ## wheels for any Linux with glibc 2.28 or later: dist/wheels/
	@tools/install_dependencies.sh program package portable report
	@tools/build_report.sh
	@tools/wheels.sh

check-wheels: ## whether the wheels work in small systems of Debian 11, 12 and 13, and with every Python of this machine
	@tools/check_wheels.sh

docs: ## the documentation site: build/site/index.html
	@tools/install_dependencies.sh program package
	@tools/python_env.sh
	@tools/docs.sh

bench: ## compare with numpy/scipy programs: bench/results/bench.md. BENCH="--case p250" chooses
	@tools/install_dependencies.sh program bench
	@tools/bench.sh $(BENCH)

paper: ## the paper's experiments again: experiments/results/summary.md. PAPER="tarp nback --quick" chooses
	@tools/install_dependencies.sh program package report other_tools
	@tools/build_report.sh
	@tools/paper.sh $(PAPER)

format: ## format all C++ files in place
	@tools/install_dependencies.sh program tests
	@tools/format.sh

check-format: ## whether all C++ files are formatted
	@tools/install_dependencies.sh program tests
	@tools/format.sh --check

tidy: ## clang-tidy on the files that changed since they last passed
	@tools/install_dependencies.sh program tests check
	@tools/build.sh release disc
	@$(PYTHON) tools/tidy.py

archive: ## the source archive of the last commit with the built page: build/disc-VERSION.tar.gz
	@tools/install_dependencies.sh report
	@tools/build_report.sh
	@tools/archive.sh

archive-linux: ## the program as one static file for Linux: dist/disc-VERSION-linux-ARCH.tar.xz
	@tools/install_dependencies.sh program portable report
	@tools/build_report.sh
	@tools/archive_linux.sh
	@tools/check_archive.sh

r-package: ## the R package, and with the static program inside if there is one: dist/discfeatures_*.tar.gz
	@tools/install_dependencies.sh r
	@tools/r_package.sh

release: ## what is given out, from a clean checkout: source archives, wheels, static program, R package, checksums, SBOM: dist/
	@tools/install_dependencies.sh program tests package portable report r
	@tools/build_report.sh
	@tools/release.sh

clean: ## remove what was built, and the demo
	rm -rf build demo dist
