#include "runtime/http/pool.h"

#include <curl/curl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace trawl {

using arrow::Result;
using arrow::Status;

HttpPool::~HttpPool() {
  for (const auto& multi : multis_) curl_multi_cleanup(multi->handle);
}

Result<HttpPool::Multi*> HttpPool::MultiWithRoom() {
  for (const auto& multi : multis_) {
    if (multi->hosts < hosts_per_multi_) return multi.get();
  }
  auto multi = std::make_unique<Multi>();
  multi->pool = this;
  multi->index = static_cast<uint32_t>(multis_.size());
  multi->handle = curl_multi_init();
  if (multi->handle == nullptr) return Status::OutOfMemory("libcurl: a multi handle");
  curl_multi_setopt(multi->handle, CURLMOPT_SOCKETFUNCTION, &HttpPool::OnSocketWish);
  curl_multi_setopt(multi->handle, CURLMOPT_SOCKETDATA, multi.get());
  curl_multi_setopt(multi->handle, CURLMOPT_TIMERFUNCTION, &HttpPool::OnTimerWish);
  curl_multi_setopt(multi->handle, CURLMOPT_TIMERDATA, multi.get());
  // Never reached: to find the oldest connection libcurl would walk over all of them.
  curl_multi_setopt(multi->handle, CURLMOPT_MAXCONNECTS, 4L * hosts_per_multi_);
  multis_.push_back(std::move(multi));
  return multis_.back().get();
}

Result<HttpPool::Host*> HttpPool::Enter(const std::string& origin) {
  std::unique_ptr<Host>& host = hosts_[origin];
  if (host == nullptr) {
    const Result<Multi*> multi = MultiWithRoom();
    if (!multi.ok()) {
      hosts_.erase(origin);
      return multi.status();
    }
    host = std::make_unique<Host>();
    host->origin = origin;
    host->multi = (*multi)->index;
    ++(*multi)->hosts;
  }
  ++host->under_way;
  host->ended = false;
  return host.get();
}

void HttpPool::Allow(Host* host, int64_t bytes) {
  if (host->under_way == 1) {
    host->most_received = host->received = 0;
    host->is_flooded = false;
  }
  host->most_received += bytes;
}

void HttpPool::OnTlsRecord(int fd, int64_t bytes) {
  Host* const host = static_cast<size_t>(fd) < host_by_fd_.size() ? host_by_fd_[static_cast<size_t>(fd)] : nullptr;
  if (host == nullptr) return;
  host->received += bytes;
  if (host->received <= host->most_received || host->is_flooded) return;
  host->is_flooded = host->ended = true;
  shutdown(fd, SHUT_RDWR);
}

void HttpPool::Leave(Host* host, int64_t now_ms, int64_t keep_until_ms) {
  --host->under_way;
  host->idle_since_ms = now_ms;
  host->keep_until_ms = std::max(host->keep_until_ms, keep_until_ms);
  if (host->under_way == 0 && (host->ended || host->sockets.empty())) Drop(host);
}

bool HttpPool::EndUnasked(const Host& host) {
  bool found = false;
  for (const int fd : host.sockets) {
    char bytes[4096];
    if (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0) continue;
    found = true;
    // The socket must be emptied too, or libcurl would still take the connection for alive.
    shutdown(fd, SHUT_RDWR);
    for (int i = 0; i < 64 && recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0; ++i) continue;
  }
  return found;
}

void HttpPool::End(const std::string& origin) {
  const auto found = hosts_.find(origin);
  if (found == hosts_.end()) return;
  found->second->ended = true;
  if (found->second->under_way == 0) Drop(found->second.get());
}

void HttpPool::EndIdle(int64_t now_ms) {
  std::vector<Host*> over;
  for (const auto& [origin, host] : hosts_) {
    if (host->under_way == 0 && host->keep_until_ms <= now_ms) over.push_back(host.get());
  }
  for (Host* host : over) Drop(host);
}

void HttpPool::Drop(Host* host) {
  for (const int fd : host->sockets) {
    shutdown(fd, SHUT_RDWR);
    host_by_fd_[static_cast<size_t>(fd)] = nullptr;
  }
  --multis_[host->multi]->hosts;
  hosts_.erase(hosts_.find(host->origin));
}

Status HttpPool::Start(void* easy, Host* host) {
  Multi& multi = *multis_[host->multi];
  const CURLMcode code = curl_multi_add_handle(multi.handle, easy);
  if (code != CURLM_OK) return Status::IOError("libcurl: ", curl_multi_strerror(code));
  return Status::OK();
}

void HttpPool::Stop(void* easy, Host* host) { curl_multi_remove_handle(multis_[host->multi]->handle, easy); }

int HttpPool::OpenSocket(Host* host, int family, int type, int protocol) {
  const int fd = socket(family, type | SOCK_CLOEXEC, protocol);
  if (fd < 0) return fd;
  if (static_cast<size_t>(fd) >= host_by_fd_.size()) host_by_fd_.resize(static_cast<size_t>(fd) + 64);
  host_by_fd_[static_cast<size_t>(fd)] = host;
  host->sockets.push_back(fd);
  return fd;
}

int HttpPool::CloseSocket(int fd) {
  poller_.Forget(fd);
  if (static_cast<size_t>(fd) < host_by_fd_.size()) {
    Host*& host = host_by_fd_[static_cast<size_t>(fd)];
    if (host != nullptr) {
      std::erase(host->sockets, fd);
      if (host->under_way == 0 && host->sockets.empty()) Drop(host);
      host = nullptr;
    }
  }
  return close(fd);
}

int HttpPool::OnSocketWish(void*, int fd, int wish, void* arg, void*) {
  const Multi& multi = *static_cast<Multi*>(arg);
  const bool out = wish == CURL_POLL_REMOVE;
  multi.pool->poller_.Watch(fd, multi.index, !out && (wish & CURL_POLL_IN) != 0, !out && (wish & CURL_POLL_OUT) != 0);
  return 0;
}

int HttpPool::OnTimerWish(void*, long timeout_ms, void* arg) {
  Multi& multi = *static_cast<Multi*>(arg);
  multi.due_ms = timeout_ms < 0 ? -1 : multi.pool->now_ms_ + timeout_ms;
  return 0;
}

int64_t HttpPool::DueInMs(int64_t now_ms) const {
  int64_t due_ms = -1;
  for (const auto& multi : multis_) {
    if (multi->due_ms >= 0 && (due_ms < 0 || multi->due_ms < due_ms)) due_ms = multi->due_ms;
  }
  return due_ms < 0 ? -1 : std::max<int64_t>(due_ms - now_ms, 0);
}

void HttpPool::Run(const std::vector<Poller::Event>& events, int64_t now_ms,
                   const std::function<void(void*, int)>& finished) {
  now_ms_ = now_ms;
  int running = 0;
  for (const Poller::Event& event : events) {
    if (event.owner >= multis_.size()) continue;
    Multi& multi = *multis_[event.owner];
    const int what = (event.readable ? CURL_CSELECT_IN : 0) | (event.writable ? CURL_CSELECT_OUT : 0);
    curl_multi_socket_action(multi.handle, event.fd, what, &running);
    multi.touched = true;
  }
  for (const auto& multi : multis_) {
    if (multi->due_ms >= 0 && multi->due_ms <= now_ms) {
      multi->due_ms = -1;
      curl_multi_socket_action(multi->handle, CURL_SOCKET_TIMEOUT, 0, &running);
      multi->touched = true;
    }
    if (multi->touched) Collect(*multi, finished);
  }
}

void HttpPool::Collect(Multi& multi, const std::function<void(void*, int)>& finished) {
  multi.touched = false;
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(multi.handle, &left)) {
    if (message->msg == CURLMSG_DONE) finished(message->easy_handle, message->data.result);
  }
}

}  // namespace trawl
