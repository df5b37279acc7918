#pragma once

#include <vector>

#include "reports/document.h"
#include "reports/qt/pdf_flow.h"

/// Blocks of a document as pieces of paper of the full text width.
namespace weir::reports::qt::pdf {

std::vector<Piece> block_pieces(const document::Block& block, Language language);

/// Lines of text, kept from leaving one alone on a page.
std::vector<Piece> text_pieces(const QString& text, const TextStyle& style, double width, double indent = 0);
std::vector<Piece> table_pieces(const document::Table& table, Language language);
std::vector<Piece> figure_pieces(const document::Figures& figures, Language language);
std::vector<Piece> key_figure_pieces(const document::KeyFigures& figures);
std::vector<Piece> evidence_bar_pieces(const document::EvidenceBar& bar, Language language, double width);
/// The bar on the left half, what a short heading says of it on the right.
Piece evidence_beside(const document::EvidenceBar& bar, const document::Heading& heading,
                      const document::Paragraph& paragraph, Language language);
/// Pieces that no page break may part, as one.
Piece stacked(std::vector<Piece> pieces);
/// Signs and their words in a row; `width` is where it wraps.
Piece evidence_legend(const std::vector<data::Evidence>& used, Language language, double width);

}  // namespace weir::reports::qt::pdf
