// Submits an application to YARN's ResourceManager by its REST services, and learns what became of it.
//
// A request whose answer was lost may have been taken. It is repeated under the application's id, which the ResourceManager
// takes once, so that one job never becomes two applications. Any thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "runtime/process/stop.h"

namespace trawl {

// What the ResourceManager did with a request: `id` where it took it, else `refused`, the reason. After a refusal nothing of
// the request is left.
struct ManagerAnswer {
  std::string id;
  std::string refused;
  // Of an application: it has ended, or never began.
  bool is_over = false;
};

// How long it waits before it repeats a submission, and before it looks again whether one is taken.
struct ManagerPauses {
  int try_ms = 1000;
  int look_ms = 50;
};

class ManagerClient {
 public:
  // `managers` are "http://host:port"; where there are several, one of them is the active one.
  ManagerClient(std::vector<std::string> managers, std::string user, ManagerPauses pauses = {})
      : managers_(std::move(managers)), user_(std::move(user)), pauses_(pauses) {}

  // Returns the id of an application that does not exist yet. IOError where no ResourceManager answers.
  arrow::Result<ManagerAnswer> NewApplication() const;

  // Submits and waits until the scheduler has the application. An error says that it may run.
  arrow::Result<ManagerAnswer> Submit(const std::string& id, const std::string& body, const StopToken& stop) const;

  // Whether the active ResourceManager says that it has no such application.
  bool IsUnknown(const std::string& id) const;

 private:
  struct Reply;
  struct State;
  arrow::Result<Reply> Ask(const std::string& method, const std::string& path, const std::string& body) const;
  arrow::Result<State> StateOf(const std::string& id) const;
  arrow::Result<ManagerAnswer> WaitUntilTaken(const std::string& id, const StopToken& stop, bool* is_lost) const;
  void Kill(const std::string& id) const;

  const std::vector<std::string> managers_;
  const std::string user_;
  const ManagerPauses pauses_;
};

}  // namespace trawl
