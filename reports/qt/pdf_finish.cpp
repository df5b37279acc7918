#include "reports/qt/pdf_finish.h"

#include <qpdf/qpdf-c.h>

#include <algorithm>
#include <initializer_list>

#include "data/errors.h"
#include "reports/qt/pdf_canvas.h"

namespace weir::reports::qt::pdf {
namespace {

/// "D:20260501000000Z"
std::string pdf_date(const std::string& date) {
  std::string digits;
  for (const char c : date) {
    if (c >= '0' && c <= '9') digits += c;
  }
  digits.resize(8, '0');
  return "D:" + digits + "000000Z";
}

/// libqpdf through its C interface: its C++ headers are more than clang 14 takes as C++20.
class File {
 public:
  explicit File(const std::string& pdf) : qpdf_(qpdf_init()) {
    qpdf_silence_errors(qpdf_);
    check(qpdf_read_memory(qpdf_, "report", pdf.data(), pdf.size(), nullptr));
  }
  ~File() { qpdf_cleanup(&qpdf_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  qpdf_oh root() { return qpdf_get_root(qpdf_); }
  qpdf_oh trailer() { return qpdf_get_trailer(qpdf_); }
  qpdf_oh page(std::size_t index) {
    const int count = qpdf_get_num_pages(qpdf_);
    if (count < 1) throw data::SystemError("the PDF could not be finished: it has no pages");
    return qpdf_get_page_n(qpdf_, std::min(index, static_cast<std::size_t>(count) - 1));
  }
  qpdf_oh dictionary() { return qpdf_oh_new_dictionary(qpdf_); }
  qpdf_oh shared(qpdf_oh object) { return qpdf_make_indirect_object(qpdf_, object); }
  qpdf_oh text(const std::string& utf8) { return qpdf_oh_new_unicode_string(qpdf_, utf8.c_str()); }
  qpdf_oh name(const char* name) { return qpdf_oh_new_name(qpdf_, name); }
  qpdf_oh number(long long value) { return qpdf_oh_new_integer(qpdf_, value); }
  qpdf_oh yes() { return qpdf_oh_new_bool(qpdf_, QPDF_TRUE); }
  qpdf_oh nothing() { return qpdf_oh_new_null(qpdf_); }
  qpdf_oh list(std::initializer_list<qpdf_oh> items) {
    const qpdf_oh list = qpdf_oh_new_array(qpdf_);
    for (const qpdf_oh item : items) qpdf_oh_append_item(qpdf_, list, item);
    return list;
  }
  void set(qpdf_oh dictionary, const char* key, qpdf_oh value) { qpdf_oh_replace_key(qpdf_, dictionary, key, value); }
  void remove(qpdf_oh dictionary, const char* key) { qpdf_oh_remove_key(qpdf_, dictionary, key); }

  std::string written() {
    check(qpdf_init_write_memory(qpdf_));
    qpdf_set_deterministic_ID(qpdf_, QPDF_TRUE);
    qpdf_set_object_stream_mode(qpdf_, qpdf_o_generate);
    qpdf_set_compress_streams(qpdf_, QPDF_TRUE);
    check(qpdf_write(qpdf_));
    return {reinterpret_cast<const char*>(qpdf_get_buffer(qpdf_)), qpdf_get_buffer_length(qpdf_)};
  }

 private:
  void check(QPDF_ERROR_CODE code) {
    if ((code & QPDF_ERRORS) == 0 && qpdf_has_error(qpdf_) == QPDF_FALSE) return;
    throw data::SystemError(std::string("the PDF could not be finished: ") +
                            qpdf_get_error_full_text(qpdf_, qpdf_get_error(qpdf_)));
  }
  qpdf_data qpdf_;
};

void set_information(File& file, const About& about) {
  const qpdf_oh info = file.dictionary();
  file.set(info, "/Title", file.text(about.title));
  file.set(info, "/Subject", file.text(about.subject));
  file.set(info, "/Creator", file.text("Weir"));
  file.set(info, "/Producer", file.text("Weir, Qt, qpdf"));
  file.set(info, "/CreationDate", file.text(pdf_date(about.date)));
  file.set(info, "/ModDate", file.text(pdf_date(about.date)));
  file.set(file.trailer(), "/Info", file.shared(info));
  const qpdf_oh root = file.root();
  file.remove(root, "/Metadata");  // says the same, with a clock in it
  file.set(root, "/Lang", file.text(about.language));
  const qpdf_oh view = file.dictionary();
  file.set(view, "/DisplayDocTitle", file.yes());
  file.set(root, "/ViewerPreferences", view);
}

qpdf_oh outline_item(File& file, const OutlineEntry& entry, qpdf_oh tree) {
  constexpr double kAbove = 12;  // pt of paper shown above the heading
  const auto top = static_cast<long long>(kPageHeight - std::max(0.0, entry.y - kAbove));
  const qpdf_oh item = file.shared(file.dictionary());
  file.set(item, "/Title", file.text(entry.title));
  file.set(item, "/Parent", tree);
  file.set(item, "/Dest",
           file.list({file.page(entry.page), file.name("/XYZ"), file.nothing(), file.number(top), file.nothing()}));
  return item;
}

void set_outline(File& file, const std::vector<OutlineEntry>& outline) {
  if (outline.empty()) return;
  const qpdf_oh tree = file.shared(file.dictionary());
  std::vector<qpdf_oh> items;
  for (const OutlineEntry& entry : outline) items.push_back(outline_item(file, entry, tree));
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) file.set(items[i], "/Prev", items[i - 1]);
    if (i + 1 < items.size()) file.set(items[i], "/Next", items[i + 1]);
  }
  file.set(tree, "/Type", file.name("/Outlines"));
  file.set(tree, "/First", items.front());
  file.set(tree, "/Last", items.back());
  file.set(tree, "/Count", file.number(static_cast<long long>(items.size())));
  file.set(file.root(), "/Outlines", tree);
  file.set(file.root(), "/PageMode", file.name("/UseOutlines"));
}

}  // namespace

std::string finish(const std::string& pdf, const About& about, const std::vector<OutlineEntry>& outline) {
  File file(pdf);
  set_information(file, about);
  set_outline(file, outline);
  return file.written();
}

}  // namespace weir::reports::qt::pdf
