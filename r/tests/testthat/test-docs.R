# The blocks of R in the documentation run. DISC_DOCS says where its pages are; the data of the tutorial are stand-ins, made by Python.
docs <- Sys.getenv("DISC_DOCS", "/nowhere")

blocks_of <- function(page) {
  lines <- readLines(file.path(docs, page), encoding = "UTF-8")
  fences <- grep("^```", lines)
  starts <- fences[lines[fences] == "```r"]
  unlist(lapply(starts, function(start) lines[(start + 1):(min(fences[fences > start]) - 1)]))
}

in_new_folder <- function(code) {
  folder <- tempfile("docs-")
  dir.create(folder)
  old <- setwd(folder)
  on.exit(setwd(old))
  force(code)
}

stand_ins <- function(name) {
  python <- Sys.getenv("PYTHON", "/usr/bin/python3")
  made <- processx::run(python, c("-c", sprintf("import sys; sys.path.insert(0, '%s/tutorials'); import stand_ins; stand_ins.make('.', ['%s'])", docs, name)), error_on_status = FALSE)
  skip_if(made$status != 0, "Python with anndata is not there, which makes the stand-ins")
}

run_blocks <- function(page, known = list(), but = "^$") {
  lines <- grep(but, blocks_of(page), invert = TRUE, value = TRUE)
  expect_gt(length(lines), 0)
  names <- list2env(known, parent = globalenv())
  utils::capture.output(for (one in parse(text = lines)) print(eval(one, names)))
  names
}

test_that("the calls on the page of the package run", {
  skip_without_program()
  skip_if_not(dir.exists(docs), "the documentation is not there")
  skip_if_not_installed("SingleCellExperiment")
  in_new_folder({
    stand_ins("kang")
    file.rename("kang.h5ad", "data.h5ad")
    both <- two_conditions(samples = 30, features = 24)
    counts <- matrix(rpois(24 * 60, 5), 24, dimnames = list(paste0("g", 1:24), paste0("c", 1:60)))
    sce <- SingleCellExperiment::SingleCellExperiment(list(counts = counts), colData = data.frame(condition = rep(c("a", "b"), each = 30), donor = rep(1:12, each = 5)))
    frame <- data.frame(do.call(rbind, both), treatment = rep(c("no", "yes"), each = 30), subject = rep(1:20, each = 3), age = rep(30:49, each = 3))
    known <- list(x = both$A, y = both$B, sce = sce, frame = frame)
    known[c("x", "y")] <- lapply(known[c("x", "y")], function(values) values[seq_len(24), ])
    found <- run_blocks("r.md", known, but = "seurat")$found
    expect_s3_class(found, "disc_result")
  })
})

test_that("the tutorial finds the interferon genes of the stand-in, from matrices and from one object", {
  skip_without_program()
  skip_if_not(dir.exists(docs), "the documentation is not there")
  skip_if_not_installed("SingleCellExperiment")
  in_new_folder({
    stand_ins("kang")
    names <- run_blocks(file.path("tutorials", "kang-r.md"))
    expect_true("CXCL10" %in% names$found$members$feature[names$found$members$condition == "STIM"])
    expect_identical(names$again$members, names$found$members)
    expect_gt(file.size("groups.png"), 0)
  })
})
