// The certificate and the key with which the server proves who it is.
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"

namespace trawl {

struct TlsContext;

// Reads both PEM files. The failure names the file. Any thread.
arrow::Result<std::shared_ptr<TlsContext>> LoadTlsContext(const std::string& certificate, const std::string& key);

}  // namespace trawl
