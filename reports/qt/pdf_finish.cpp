#include "reports/qt/pdf_finish.h"

// qpdf's std::shared_ptr interface.
#define POINTERHOLDER_TRANSITION 4

#include <algorithm>
#include <memory>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include "data/errors.h"
#include "reports/qt/pdf_canvas.h"

namespace weir::reports::qt::pdf {
namespace {

using Object = QPDFObjectHandle;

/// "D:20260501000000Z"
std::string pdf_date(const std::string& date) {
  std::string digits;
  for (const char c : date) {
    if (c >= '0' && c <= '9') digits += c;
  }
  digits.resize(8, '0');
  return "D:" + digits + "000000Z";
}

void set_information(QPDF& file, const About& about) {
  Object trailer = file.getTrailer();
  Object info = Object::newDictionary();
  info.replaceKey("/Title", Object::newUnicodeString(about.title));
  info.replaceKey("/Subject", Object::newUnicodeString(about.subject));
  info.replaceKey("/Creator", Object::newUnicodeString("Weir"));
  info.replaceKey("/Producer", Object::newUnicodeString("Weir, Qt, qpdf"));
  info.replaceKey("/CreationDate", Object::newString(pdf_date(about.date)));
  info.replaceKey("/ModDate", Object::newString(pdf_date(about.date)));
  trailer.replaceKey("/Info", file.makeIndirectObject(info));
  Object root = file.getRoot();
  root.removeKey("/Metadata");  // says the same, with a clock in it
  root.replaceKey("/Lang", Object::newString(about.language));
  Object view = Object::newDictionary();
  view.replaceKey("/DisplayDocTitle", Object::newBool(true));
  root.replaceKey("/ViewerPreferences", view);
}

void set_outline(QPDF& file, const std::vector<OutlineEntry>& outline) {
  if (outline.empty()) return;
  const auto pages = QPDFPageDocumentHelper(file).getAllPages();
  Object tree = file.makeIndirectObject(Object::newDictionary());
  std::vector<Object> entries;
  for (const OutlineEntry& entry : outline) {
    Object item = file.makeIndirectObject(Object::newDictionary());
    item.replaceKey("/Title", Object::newUnicodeString(entry.title));
    item.replaceKey("/Parent", tree);
    Object target = Object::newArray();
    const std::size_t page = std::min(entry.page, pages.size() - 1);
    target.appendItem(pages[page].getObjectHandle());
    target.appendItem(Object::newName("/XYZ"));
    target.appendItem(Object::newNull());
    constexpr double kAbove = 12;  // pt of paper shown above the heading
    target.appendItem(Object::newInteger(static_cast<long long>(kPageHeight - std::max(0.0, entry.y - kAbove))));
    target.appendItem(Object::newNull());
    item.replaceKey("/Dest", target);
    entries.push_back(item);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) entries[i].replaceKey("/Prev", entries[i - 1]);
    if (i + 1 < entries.size()) entries[i].replaceKey("/Next", entries[i + 1]);
  }
  tree.replaceKey("/Type", Object::newName("/Outlines"));
  tree.replaceKey("/First", entries.front());
  tree.replaceKey("/Last", entries.back());
  tree.replaceKey("/Count", Object::newInteger(static_cast<long long>(entries.size())));
  Object root = file.getRoot();
  root.replaceKey("/Outlines", tree);
  root.replaceKey("/PageMode", Object::newName("/UseOutlines"));
}

}  // namespace

std::string finish(const std::string& pdf, const About& about, const std::vector<OutlineEntry>& outline) {
  try {
    QPDF file;
    file.processMemoryFile("report", pdf.data(), pdf.size());
    set_information(file, about);
    set_outline(file, outline);
    QPDFWriter writer(file);
    writer.setOutputMemory();
    writer.setDeterministicID(true);
    writer.setObjectStreamMode(qpdf_o_generate);
    writer.setCompressStreams(true);
    writer.write();
    const std::shared_ptr<Buffer> bytes = writer.getBufferSharedPointer();
    return {reinterpret_cast<const char*>(bytes->getBuffer()), bytes->getSize()};
  } catch (const std::exception& error) {
    throw data::SystemError(std::string("the PDF could not be finished: ") + error.what());
  }
}

}  // namespace weir::reports::qt::pdf
