#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "reports/qt/pdf_canvas.h"

/// Pieces of a document, one below the other, on as many pages as they need.
namespace weir::reports::qt::pdf {

/// What stays together. `draw` gets the left top corner in pt.
struct Piece {
  double height = 0;
  double space_before = 0;  ///< none at the top of a page
  bool keep_with_next = false;
  std::function<void(QPainter&, QPointF)> draw{};
  std::shared_ptr<const Piece> repeat{};  ///< drawn once more above this piece when it begins a page (table heads)
};

struct Placed {
  double y = 0;
  std::function<void(QPainter&, QPointF)> draw{};
};

struct Page {
  std::vector<Placed> pieces;
  double used = 0;  ///< y of the end of its last piece
};

/// Where the text of a page begins and ends.
struct PageArea {
  double top = 0, bottom = 0;
};

class Flow {
 public:
  Flow(PageArea first, PageArea others);
  void add(const std::vector<Piece>& pieces);
  /// The next piece begins a page, unless nothing stands on this one yet.
  void new_page();
  double room() const;  ///< left on this page
  double y() const { return y_; }
  std::size_t page() const { return pages_.size() - 1; }
  const std::vector<Page>& pages() const { return pages_; }

 private:
  PageArea area() const { return pages_.size() == 1 ? first_ : others_; }
  bool at_top() const { return pages_.back().pieces.empty(); }
  void place(const Piece& piece);
  PageArea first_, others_;
  std::vector<Page> pages_;
  double y_;
};

}  // namespace weir::reports::qt::pdf
