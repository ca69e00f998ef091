# Data reach the program to the last bit, whatever they were in R.

# The digits that 'disc convert' writes of what it read, as bits.
through_program <- function(data) {
  folder <- tempfile()
  dir.create(folder)
  write_data(data, file.path(folder, "in.npz"))
  run_program(c("convert", file.path(folder, "in.npz"), "-o", file.path(folder, "out.npz")))
  read_npz(file.path(folder, "out.npz"))
}

hard_numbers <- c(0, -0, 1 / 3, pi * 1e300, .Machine$double.xmin, 5e-324, .Machine$double.xmax, 1 + .Machine$double.eps, -1e-17, 123456789.123456789, 2^53 + 2, 0.1)
bits <- function(values) writeBin(as.double(values), raw())

test_that("dense values keep every bit, samples in rows or columns", {
  skip_without_program()
  x <- matrix(hard_numbers, 3, dimnames = list(c("one", "two", "three"), c("a", "b", "\u00fc", "with, comma")))
  for (data in list(new_data(x, "rows"), new_data(t(x), "columns"))) {
    back <- through_program(data)
    expect_identical(bits(back$X), bits(x))
    expect_identical(back$features, colnames(x))
    expect_identical(back$samples, rownames(x))
  }
})

test_that("sparse values keep every bit", {
  skip_without_program()
  x <- matrix(0, 5, 6)
  x[cbind(c(1, 2, 3, 5, 5), c(2, 2, 6, 1, 4))] <- hard_numbers[c(3, 4, 8, 9, 10)]
  for (data in list(new_data(sparse_matrix(Matrix::Matrix(x, sparse = TRUE)), "rows"),
                    new_data(sparse_matrix(Matrix::Matrix(t(x), sparse = TRUE)), "columns"))) {
    back <- through_program(data)
    rebuilt <- Matrix::sparseMatrix(j = back$indices + 1, p = back$indptr, x = back$data, dims = back$shape)
    expect_identical(bits(as.matrix(rebuilt)), bits(x))
  }
})

test_that("labels keep numbers and say what is missing", {
  skip_without_program()
  x <- matrix(hard_numbers, 3)
  back <- through_program(new_data(x, "rows", list(age = c(0.1, 1 / 3, 2), sex = factor(c("f", "m", "f")), `a/b` = c("x", "y", "z"))))
  expect_identical(as.double(back$label_age), c(0.1, 1 / 3, 2))
  expect_identical(back$label_sex, c("f", "m", "f"))
  expect_identical(back$label_a_b, c("x", "y", "z"))
})

test_that("arrays are read as numpy writes them", {
  for (values in list(hard_numbers, c(-3L, 0L, .Machine$integer.max), c("a", "", "\u00e9t\u00e9"))) {
    path <- tempfile()
    write_npy(values, path)
    expect_identical(read_npy(readBin(path, "raw", file.size(path))), values)
  }
  whole <- c(-1, 0, 2^40 + 3, -2^40)
  raw <- c(npy_header("<i8", FALSE, 4), writeBin(as.integer(c(-1, -1, 0, 0, 3, 256, 0, -256)), raw(), endian = "little"))
  expect_identical(read_npy(raw), whole)
})
