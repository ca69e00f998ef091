# From what R users hold in their hands to one form: values, which axis the samples are, names, and labels of the samples.

new_data <- function(values, samples_in, labels = list()) {
  by_rows <- samples_in == "rows"
  names <- dimnames(values)
  count <- if (by_rows) nrow(values) else ncol(values)
  list(values = values, samples_in = samples_in, count = count, features = names[[if (by_rows) 2 else 1]],
       samples = names[[if (by_rows) 1 else 2]], labels = stats::setNames(as.list(labels), label_name(names(labels))))
}

# 'labels_wanted': columns of a data frame that are labels and no features.
as_data <- function(x, where, samples_in = "rows", assay = NULL, labels_wanted = character()) {
  if (is.character(x) && length(x) == 1) return(file_data(x, where))
  if (inherits(x, "Seurat")) return(seurat_data(x, assay))
  if (methods::is(x, "SummarizedExperiment")) return(experiment_data(x, where, assay))
  if (is.data.frame(x)) return(frame_data(x, where, samples_in, labels_wanted))
  if (inherits(x, "Matrix")) return(new_data(sparse_matrix(x), samples_in))
  if (is.matrix(x) && (is.numeric(x) || is.logical(x))) return(new_data(x, samples_in))
  if (is.matrix(x)) fail("disc_input_error", where, ": the matrix holds values of type ", typeof(x), "; numbers are needed")
  fail("disc_input_error", where, ": an object of class ", class(x)[[1]], " cannot be used; a matrix, sparse Matrix, ",
       "data frame, SummarizedExperiment, SingleCellExperiment, Seurat object or the path of a file is needed")
}

file_data <- function(x, where) {
  if (!file.exists(x)) fail("disc_input_error", where, ": there is no file ", x)
  list(path = normalizePath(x), labels = list())
}

sparse_matrix <- function(x) {
  for (form in c("dMatrix", "generalMatrix", "CsparseMatrix")) x <- methods::as(x, form)
  x
}

frame_data <- function(x, where, samples_in, labels_wanted) {
  labels <- if (samples_in == "rows") x[intersect(labels_wanted, names(x))] else list()
  x <- x[setdiff(names(x), names(labels))]
  numbers <- vapply(x, function(column) is.numeric(column) || is.logical(column), logical(1))
  if (!all(numbers)) {
    bad <- names(x)[!numbers][[1]]
    fail("disc_input_error", where, ": column '", bad, "' holds values of type ", class(x[[bad]])[[1]], "; features are ",
         "numbers. Name it as by, unit, strata, paired or covariate, or leave it out")
  }
  named <- .row_names_info(x) > 0
  values <- as.matrix(x)
  if (!named) rownames(values) <- NULL
  new_data(values, samples_in, labels)
}

experiment_data <- function(x, where, assay) {
  there <- SummarizedExperiment::assayNames(x)
  if (is.null(assay)) assay <- if ("counts" %in% there) "counts" else if (length(there) > 0) there[[1]] else 1L
  if (is.character(assay) && !assay %in% there) {
    fail("disc_input_error", where, ": there is no assay '", assay, "'; there are ", paste(there, collapse = ", "))
  }
  values <- SummarizedExperiment::assay(x, assay)
  if (!is.matrix(values)) values <- sparse_matrix(values)
  dimnames(values) <- list(rownames(x), colnames(x))
  new_data(values, "columns", as.data.frame(SummarizedExperiment::colData(x), optional = TRUE))
}

# By its parts, so that neither Seurat nor SeuratObject need be there; version 5 keeps matrices as layers.
seurat_data <- function(x, assay) {
  parts <- strsplit(assay %||% methods::slot(x, "active.assay"), "/", fixed = TRUE)[[1]]
  there <- names(methods::slot(x, "assays"))
  if (!parts[[1]] %in% there) {
    fail("disc_input_error", "there is no assay '", parts[[1]], "' in the Seurat object; there are ", paste(there, collapse = ", "))
  }
  held <- methods::slot(x, "assays")[[parts[[1]]]]
  values <- if (methods::.hasSlot(held, "layers")) seurat_layer(held, parts[-1]) else seurat_slot(held, parts[-1])
  labels <- methods::slot(x, "meta.data")
  colnames(values) <- rownames(labels)
  new_data(if (is.matrix(values)) values else sparse_matrix(values), "columns", labels)
}

seurat_slot <- function(held, wanted) {
  name <- if (length(wanted) > 0) wanted[[1]] else if (length(methods::slot(held, "counts")) > 0) "counts" else "data"
  if (!name %in% c("counts", "data", "scale.data")) {
    fail("disc_input_error", "a Seurat assay has no '", name, "'; there are counts, data and scale.data")
  }
  methods::slot(held, name)
}

seurat_layer <- function(held, wanted) {
  layers <- methods::slot(held, "layers")
  name <- if (length(wanted) > 0) wanted[[1]] else if ("counts" %in% names(layers)) "counts" else names(layers)[[1]]
  if (!name %in% names(layers)) {
    several <- any(startsWith(names(layers), paste0(name, ".")))
    fail("disc_input_error", "the Seurat assay has no layer '", name, "'; there are ", paste(names(layers), collapse = ", "),
         if (several) ". Join them first: SeuratObject::JoinLayers()")
  }
  values <- layers[[name]]
  rownames(values) <- rownames(methods::slot(held, "features"))
  values
}

# Labels as the program reads them: text, numbers with all their digits, and nothing where a value is missing.
label_text <- function(values) {
  text <- if (is.double(values)) sprintf("%.17g", values) else as.character(values)
  text[is.na(values)] <- ""
  text
}

# Names of labels become names of files in an archive, and lists of them are cut at commas.
label_name <- function(name) gsub("[/\\\\,[:cntrl:]]", "_", name %||% character())

# Writes data without loss: values as they lie in memory, sparse ones as scipy keeps them, names and labels beside them.
write_data <- function(data, path) {
  folder <- tempfile("data-", dirname(path))
  dir.create(folder)
  write <- function(values, name, ...) write_npy(values, file.path(folder, paste0(name, ".npy")), ...)
  if (is.matrix(data$values)) {
    by_rows <- data$samples_in == "rows"
    write(data$values, "X", shape = if (by_rows) dim(data$values) else rev(dim(data$values)), fortran_order = by_rows)
  } else {
    write_sparse(if (data$samples_in == "rows") data$values else Matrix::t(data$values), write)
  }
  if (!is.null(data$features)) write(data$features, "features")
  if (!is.null(data$samples)) write(data$samples, "samples")
  for (name in names(data$labels)) write(label_text(data$labels[[name]]), paste0("label_", label_name(name)))
  zip_folder(folder, path)
}

# Samples x features by columns.
write_sparse <- function(values, write) {
  write(values@x, "data")
  write(values@i, "indices")
  write(values@p, "indptr")
  write(dim(values), "shape")
  write("csc", "format")
}
