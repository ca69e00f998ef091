# Arrays in numpy's format: how data travel to the program and results back, to the last bit.

npy_type <- function(values) {
  if (is.character(values)) "text" else if (is.integer(values) && !anyNA(values)) "<i4" else "<f8"
}

npy_header <- function(type, fortran_order, shape) {
  axes <- paste0(paste(format(shape, scientific = FALSE, trim = TRUE), collapse = ", "), if (length(shape) == 1) ",")
  text <- sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", type, if (fortran_order) "True" else "False", axes)
  unpadded <- 10 + nchar(text) + 1
  text <- paste0(text, strrep(" ", (64 - unpadded %% 64) %% 64), "\n")
  c(as.raw(c(0x93, utf8ToInt("NUMPY"), 1, 0)), writeBin(nchar(text), raw(), size = 2, endian = "little"), charToRaw(text))
}

# Texts as rows of UTF-32 code points, all of the same length.
text_codes <- function(texts) {
  codes <- lapply(enc2utf8(texts), utf8ToInt)
  width <- max(1L, lengths(codes))
  list(width = width, codes = unlist(lapply(codes, function(code) c(code, integer(width - length(code))))))
}

# Writes a vector, or a matrix as it lies in memory: its shape is given, and whether the first axis runs fastest.
write_npy <- function(values, path, shape = dim(values) %||% length(values), fortran_order = TRUE) {
  force(shape)
  file <- file(path, "wb")
  on.exit(close(file))
  type <- npy_type(values)
  if (type == "text") {
    text <- text_codes(values)
    type <- paste0("<U", text$width)
    values <- text$codes
  }
  writeBin(npy_header(type, fortran_order && length(shape) > 1, shape), file)
  at_once <- 2^24  # values; writeBin refuses more than 2^31 bytes
  for (first in seq(1, by = at_once, length.out = ceiling(length(values) / at_once))) {
    part <- values[first:min(length(values), first + at_once - 1)]
    writeBin(if (type == "<f8") as.double(part) else part, file, size = if (type == "<f8") 8 else 4, endian = "little")
  }
}

`%||%` <- function(a, b) if (is.null(a)) b else a

# Packs the .npy files of a folder into an archive for numpy.
zip_folder <- function(folder, path) {
  zip::zip(path, list.files(folder), root = folder, mode = "cherry-pick", compression_level = 1)
  unlink(folder, recursive = TRUE)
}

read_npy <- function(bytes) {
  stopifnot(identical(bytes[2:6], charToRaw("NUMPY")))
  wide <- bytes[[7]] > 1
  header_size <- readBin(bytes[9:12], "integer", size = if (wide) 4 else 2, signed = wide, endian = "little")
  begin <- (if (wide) 12 else 10) + header_size
  header <- rawToChar(bytes[(begin - header_size + 1):begin])
  shape <- as.numeric(regmatches(part_of(header, "'shape': *\\(([^)]*)\\)"), gregexpr("[0-9]+", part_of(header, "'shape': *\\(([^)]*)\\)")))[[1]])
  values <- npy_values(bytes[-seq_len(begin)], part_of(header, "'descr': *'([^']*)'"), prod(shape))
  if (length(shape) < 2) return(values)
  if (part_of(header, "'fortran_order': *([A-Za-z]*)") == "True") return(array(values, shape))
  matrix(values, shape[[1]], shape[[2]], byrow = TRUE)
}

part_of <- function(text, pattern) sub(paste0(".*", pattern, ".*"), "\\1", gsub("\n", " ", text))

npy_values <- function(bytes, type, count) {
  kind <- substr(type, 2, 2)
  size <- as.integer(substring(type, 3))
  if (kind == "U") {
    codes <- matrix(readBin(bytes, "integer", count * size, size = 4, endian = "little"), nrow = size)
    return(apply(codes, 2, function(code) intToUtf8(code[code > 0])))
  }
  if (kind == "f") return(readBin(bytes, "double", count, size = size, endian = "little"))
  if (kind %in% c("i", "u") && size == 8) {
    halves <- matrix(readBin(bytes, "integer", 2 * count, size = 4, endian = "little"), nrow = 2)
    low <- halves[1, ] + ifelse(halves[1, ] < 0, 2^32, 0)
    return(low + halves[2, ] * 2^32)
  }
  readBin(bytes, "integer", count, size = size, endian = "little")
}

# The named arrays of an archive, those that there are.
read_npz <- function(path, names = NULL) {
  listed <- utils::unzip(path, list = TRUE)
  if (is.null(names)) names <- sub("\\.npy$", "", listed$Name)
  names <- names[paste0(names, ".npy") %in% listed$Name]
  folder <- tempfile("npz-")
  on.exit(unlink(folder, recursive = TRUE))
  files <- utils::unzip(path, paste0(names, ".npy"), exdir = folder)
  stats::setNames(lapply(files, function(file) read_npy(readBin(file, "raw", file.size(file)))), names)
}
