# cmake -DPAGE=report.html -DOUTPUT=report_page.cpp -P embed_page.cmake: the bytes of the page as a C++ array; none without a page.
set(bytes "0")
set(size 0)
if(PAGE)
  file(READ ${PAGE} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
endif()
file(WRITE ${OUTPUT} "// Made by cmake/embed_page.cmake.
namespace disc {
extern const unsigned char report_page_bytes[];
extern const unsigned long report_page_size;
const unsigned char report_page_bytes[] = {${bytes}};
const unsigned long report_page_size = ${size};
}
")
