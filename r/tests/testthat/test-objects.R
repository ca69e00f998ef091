# One object that holds all samples gives what the matrices give.

labels_of <- function() data.frame(condition = rep(c("A", "B"), each = 80), donor = rep(paste0("d", 1:40), 4), row.names = paste0("cell", 1:160))

all_samples <- function() {
  values <- t(do.call(rbind, two_conditions()))
  colnames(values) <- rownames(labels_of())
  values
}

of_matrix <- function() numbers_of(quick_run(all_samples(), by = labels_of()$condition, unit = labels_of()$donor, samples_in = "columns"))

test_that("SummarizedExperiment and SingleCellExperiment", {
  skip_without_program()
  skip_if_not_installed("SingleCellExperiment")
  sce <- SingleCellExperiment::SingleCellExperiment(list(logcounts = all_samples(), zeros = 0 * all_samples()), colData = labels_of())
  found <- quick_run(sce, by = "condition", unit = "donor")
  expect_identical(numbers_of(found), of_matrix())
  expect_the_group(found)
  se <- SummarizedExperiment::SummarizedExperiment(SummarizedExperiment::assays(sce), colData = labels_of())
  apart <- list(A = se[, 1:80], B = se[, 81:160])
  expect_identical(numbers_of(quick_run(apart, assay = "logcounts", unit = "donor")), of_matrix())
  expect_error(disc_run(sce, by = "condition", assay = "tpm"), "logcounts, zeros", class = "disc_input_error")
  expect_error(disc_run(sce, by = "sex"), "there are condition, donor", class = "disc_option_error")
})

test_that("sparse counts stay sparse, and are normalised by the program", {
  skip_without_program()
  skip_if_not_installed("SingleCellExperiment")
  set.seed(2)
  depth <- rgamma(160, 5, 1)
  counts <- matrix(rpois(160 * 40, rep(exp(all_samples()[] * 0.5) * 2, 1) * rep(depth, each = 40) / 5), 40, dimnames = dimnames(all_samples()))
  sce <- SingleCellExperiment::SingleCellExperiment(list(counts = Matrix::Matrix(counts, sparse = TRUE)), colData = labels_of())
  found <- quick_run(sce, by = "condition", unit = "donor")
  expect_identical(found$summary$settings$used$normalize, "log-cpm")
})

test_that("Seurat objects, known by their parts", {
  skip_without_program()
  methods::setClass("Seurat", methods::representation(assays = "list", active.assay = "character", meta.data = "data.frame"), where = environment())
  methods::setClass("OldAssay", methods::representation(counts = "ANY", data = "ANY"), where = environment())
  methods::setClass("NewAssay", methods::representation(layers = "list", features = "ANY"), where = environment())
  on.exit(for (class in c("Seurat", "OldAssay", "NewAssay")) methods::removeClass(class, where = environment()))
  values <- all_samples()
  bare <- unname(values)
  old <- methods::new("OldAssay", counts = matrix(numeric(), 0, 0), data = Matrix::Matrix(values))
  new <- methods::new("NewAssay", layers = list(data = bare), features = matrix(TRUE, 40, 1, dimnames = list(rownames(values), "data")))
  seurat <- methods::new("Seurat", assays = list(RNA = old, five = new), active.assay = "RNA", meta.data = labels_of())
  expect_the_group(quick_run(seurat, by = "condition", unit = "donor"))
  expect_identical(numbers_of(quick_run(seurat, by = "condition", unit = "donor", assay = "five/data")), of_matrix())
  expect_error(disc_run(seurat, by = "condition", assay = "ADT"), "RNA, five", class = "disc_input_error")
  expect_error(disc_run(seurat, by = "condition", assay = "five/counts"), "no layer 'counts'", class = "disc_input_error")
})

test_that("a Seurat object of its own package", {
  skip_without_program()
  skip_if_not_installed("SeuratObject")
  seurat <- suppressWarnings(SeuratObject::CreateSeuratObject(Matrix::Matrix(abs(all_samples()), sparse = TRUE), meta.data = labels_of()))
  found <- quick_run(seurat, by = "condition", unit = "donor")
  expect_identical(found$conditions, c("A", "B"))
  expect_identical(found$summary$features$total, 40L)
})
