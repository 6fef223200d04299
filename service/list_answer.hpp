// Lists of learners of several nodes as one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail::service {

struct ListPage {
  std::size_t offset = 0, limit = 200;
};

class ListAnswer {
 public:
  // What GET /v1/learners?node=this of a node answered; "": this node.
  void add(const Json& answer, const std::string& node);
  void miss(const std::string& node) { missing_.push_back(node); }  // it did not answer
  Json json(const ListPage& page);                                  // once

 private:
  struct Row {
    std::optional<double> key;  // greatest first
    Json row;
  };
  std::vector<Row> rows_;
  bool more_ = false;
  double count_ = 0, matching_ = 0;
  Json summary_;
  std::vector<std::string> missing_;
};

}  // namespace hannan::detail::service
