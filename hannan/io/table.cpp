// The first bytes decide: gzip, .npy, else text.
#include "hannan/io/table.hpp"

#include "hannan/io/npy.hpp"
#include "hannan/io/number_table.hpp"

namespace hannan::detail {

std::unique_ptr<Table> open_table(const std::string& path) { return open_table(bytes_of_file(path), path); }

std::unique_ptr<Table> open_table(std::unique_ptr<ByteSource> source, const std::string& name) {
  std::unique_ptr<PeekedSource> plain = unzipped(std::move(source), name);
  if (plain->peek(kNpyMagic.size()) == kNpyMagic) return std::make_unique<NpyReader>(std::move(plain), name);
  return std::make_unique<TableReader>(std::move(plain), name);
}

}  // namespace hannan::detail
