# Real counts of two conditions (Kang et al. 2018), from R and by the program alone: the same groups. DISC_DATA says where the data are.
folder <- file.path(Sys.getenv("DISC_DATA", "/nowhere"), "scrna", "kang_harmony_10x")

counts_of <- function(condition) {
  table_of <- function(name) utils::read.delim(file.path(folder, condition, name), header = FALSE)
  counts <- Matrix::readMM(gzfile(file.path(folder, condition, "matrix.mtx.gz")))
  dimnames(counts) <- list(table_of("features.tsv.gz")[[2]], paste0(condition, "_", table_of("barcodes.tsv.gz")[[1]]))
  methods::as(counts, "CsparseMatrix")
}

settings <- list(select = "variable:150", permutations = 19, bootstraps = 5, threads = 1)

by_the_program <- function() {
  out <- tempfile("kang-")
  flags <- unlist(Map(function(name, value) c(paste0("--", name), value), names(settings), settings))
  done <- processx::run(disc_program(), c("run", file.path(folder, c("ctrl", "stim")), flags, "-o", out), error_on_status = FALSE)
  if (done$status != 0) stop(done$stderr)
  numbers_of(disc_read(out))
}

test_that("counts of cells as matrices and as SingleCellExperiment give the groups of the program", {
  skip_without_program()
  skip_if_not(dir.exists(folder), "the data of Kang et al. are not there")
  expected <- by_the_program()
  expect_gt(nrow(expected$groups), 0)
  run <- function(x, ...) numbers_of(do.call(disc_run, c(list(x, ..., progress = FALSE), settings)))
  both <- list(ctrl = counts_of("ctrl"), stim = counts_of("stim"))
  expect_identical(run(both, samples_in = "columns"), expected)
  skip_if_not_installed("SingleCellExperiment")
  sce <- SingleCellExperiment::SingleCellExperiment(list(counts = do.call(cbind, both)), colData = data.frame(condition = rep(names(both), c(ncol(both$ctrl), ncol(both$stim)))))
  expect_identical(run(sce, by = "condition"), expected)
})
