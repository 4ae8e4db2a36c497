// The requests to S3 that Arrow's filesystem does not make: create a name that did not exist, and remove a name without
// looking at what lies around it.
//
// Signed by libcurl. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/store/store.h"

namespace trawl {

struct S3Endpoint {
  std::string url;     // of the bucket, without a '/' at its end: "https://bucket.s3.eu-west-1.amazonaws.com"
  std::string region;  // "eu-west-1"
};

struct S3Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // "" for lasting ones
};

class S3Requests {
 public:
  // `credentials` is asked before each request, since those of a role change; what it gives is never written anywhere.
  S3Requests(S3Endpoint endpoint, std::function<arrow::Result<S3Credentials>()> credentials);

  // PUT with If-None-Match: *. Keys are paths inside the bucket. An error leaves open whether it was done, unless the
  // server's answer is in it.
  arrow::Result<CreateOutcome> Create(const std::string& key, const std::string& content) const;

  // DELETE of one key after the other; it is no error if one is not there.
  arrow::Status Remove(const std::vector<std::string>& keys) const;

 private:
  struct Connection;
  struct Answer;
  // Until the server has an answer that is not "try again".
  arrow::Result<Answer> Send(Connection& connection, const char* method, const std::string& key,
                             const std::string& content) const;
  arrow::Result<Answer> SendOnce(Connection& connection, const char* method, const std::string& key,
                                 const std::string& content) const;

  const S3Endpoint endpoint_;
  const std::function<arrow::Result<S3Credentials>()> credentials_;
};

}  // namespace trawl
