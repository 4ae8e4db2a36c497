// An HTTP server (runtime/server) on a thread of its own, for as long as the object lives.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "runtime/server/server.h"

namespace trawl {

class ServerThread {
 public:
  explicit ServerThread(ServerHandlers handlers, ServerOptions options = {}) {
    server_ = Server::Make(options, std::move(handlers), SystemClock()).ValueOrDie();
    thread_ = std::thread([this] { all_ended_ = server_->Run(stop_.token()).ValueOrDie(); });
  }
  ~ServerThread() {
    if (thread_.joinable()) Stop();
  }

  int port() const { return server_->port(); }
  // Asks it to stop without waiting for it.
  void AskToStop() { stop_.Stop(); }
  // Returns what Run returned.
  bool Stop() {
    stop_.Stop();
    thread_.join();
    return all_ended_;
  }

 private:
  StopSource stop_ = StopSource::Make().ValueOrDie();
  std::unique_ptr<Server> server_;
  bool all_ended_ = false;
  std::thread thread_;
};

}  // namespace trawl
