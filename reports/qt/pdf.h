#pragma once

#include <string>

#include "reports/document.h"

namespace weir::reports::qt {

/// The document as a PDF: A4, text that can be searched, figures as vectors, an outline with an entry a section. The
/// same document gives the same bytes. Any thread, after ensure_application() ran on the main one.
/// Throws data::SystemError.
std::string document_pdf(const document::Document& document);

}  // namespace weir::reports::qt
