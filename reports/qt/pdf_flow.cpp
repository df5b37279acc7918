#include "reports/qt/pdf_flow.h"

namespace weir::reports::qt::pdf {
namespace {

/// Height of piece `from` with all that must not be parted from it.
double group_height(const std::vector<Piece>& pieces, std::size_t from) {
  double height = pieces[from].height;
  for (std::size_t i = from; i + 1 < pieces.size() && pieces[i].keep_with_next; ++i) {
    height += pieces[i + 1].space_before + pieces[i + 1].height;
  }
  return height;
}

}  // namespace

Flow::Flow(PageArea first, PageArea others) : first_(first), others_(others), pages_(1), y_(first.top) {}

void Flow::new_page() {
  if (at_top()) return;
  pages_.emplace_back();
  y_ = area().top;
}

double Flow::room() const { return area().bottom - y_; }

void Flow::place(const Piece& piece) {
  pages_.back().pieces.push_back({y_, piece.draw});
  y_ += piece.height;
  pages_.back().used = y_;
}

void Flow::add(const std::vector<Piece>& pieces) {
  bool group_begins = true;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    const double before = at_top() ? 0 : piece.space_before;
    // A group taller than a page is parted after all, piece by piece.
    const double group = group_height(pieces, i);
    const double page = others_.bottom - others_.top;
    const double needed = group_begins && group <= page ? group : piece.height;
    if (!at_top() && before + needed > room()) {
      new_page();
      if (piece.repeat) place(*piece.repeat);
    } else {
      y_ += before;
    }
    place(piece);
    group_begins = !piece.keep_with_next || group > page;
  }
}

}  // namespace weir::reports::qt::pdf
