#include "formats/url/domain.h"

#include <libpsl.h>

#include <cstdio>
#include <utility>

#include "arrow/status.h"
#include "formats/url/pieces.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

struct PublicSuffixes::List {
  explicit List(psl_ctx_t* context) : psl(context) {}
  ~List() { psl_free(psl); }  // does not free the built-in list
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  psl_ctx_t* psl;
};

PublicSuffixes::PublicSuffixes(std::unique_ptr<List> list) : list_(std::move(list)) {}
PublicSuffixes::PublicSuffixes(PublicSuffixes&&) noexcept = default;
PublicSuffixes& PublicSuffixes::operator=(PublicSuffixes&&) noexcept = default;
PublicSuffixes::~PublicSuffixes() = default;

const PublicSuffixes& PublicSuffixes::BuiltIn() {
  // libpsl declares its constant list without const; nothing here writes to it.
  static const PublicSuffixes built_in(std::make_unique<List>(const_cast<psl_ctx_t*>(psl_builtin())));
  return built_in;
}

Result<PublicSuffixes> PublicSuffixes::Parse(std::string_view list) {
  const std::string text(list);
  if (text.empty()) return Status::Invalid("public suffix list: is empty");
  FILE* file = fmemopen(const_cast<char*>(text.data()), text.size(), "r");
  if (file == nullptr) return Status::OutOfMemory("public suffix list: cannot be read from memory");
  psl_ctx_t* psl = psl_load_fp(file);
  std::fclose(file);
  if (psl == nullptr) return Status::Invalid("public suffix list: cannot be read");
  auto loaded = std::make_unique<List>(psl);
  if (psl_suffix_count(psl) <= 0) return Status::Invalid("public suffix list: holds no rule");
  return PublicSuffixes(std::move(loaded));
}

namespace {

// libpsl looks at nine labels at most, so the labels before them need not be copied.
std::string_view LastLabels(std::string_view host) {
  size_t at = host.size();
  for (int labels = 0; labels < 10 && at != std::string_view::npos && at > 0; ++labels) at = host.rfind('.', at - 1);
  return at == std::string_view::npos || at == 0 ? host : host.substr(at + 1);
}

}  // namespace

std::string_view PublicSuffixes::RegistrableDomain(std::string_view host) const {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (FormOfHost(host) != HostForm::kName) return {};
  const std::string tail(LastLabels(host));
  const char* domain = psl_registrable_domain(list_->psl, tail.c_str());
  if (domain == nullptr) return {};
  return host.substr(host.size() - (tail.size() - static_cast<size_t>(domain - tail.data())));
}

PublicSuffixes::Suffix PublicSuffixes::SuffixOf(std::string_view host, bool registries_only) const {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (FormOfHost(host) != HostForm::kName) return {};
  const std::string tail(LastLabels(host));
  // NO_STAR_RULE: libpsl's "*" would make a suffix of any top-level domain. A list may have a known one by its wildcard only.
  const int type = (registries_only ? PSL_TYPE_ICANN : PSL_TYPE_ANY) | PSL_TYPE_NO_STAR_RULE;
  const std::string top = tail.substr(tail.rfind('.') + 1);
  const auto is_suffix = [this, type](const char* name) { return psl_is_public_suffix2(list_->psl, name, type) != 0; };
  if (!is_suffix(top.c_str()) && !is_suffix(("a." + top).c_str())) return {};
  size_t domain = std::string::npos;  // where the label before the suffix begins
  for (size_t at = 0;;) {
    const size_t dot = tail.find('.', at);
    if (dot == std::string::npos || is_suffix(tail.c_str() + at)) {
      const std::string_view suffix = host.substr(host.size() - (tail.size() - at));
      if (domain == std::string::npos) return {suffix, {}};
      return {suffix, host.substr(host.size() - (tail.size() - domain))};
    }
    domain = at;
    at = dot + 1;
  }
}

std::string_view PublicSuffixes::HoldingDomain(std::string_view host) const {
  const std::string_view domain = RegistrableDomain(host);
  return domain.empty() ? host : domain;
}

}  // namespace trawl
