// The requests to S3 that Arrow's filesystem does not make: creating a name that did not exist, and removing a name
// without looking at its surroundings.
//
// libcurl signs them. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/store/store.h"

namespace trawl {

struct S3Endpoint {
  std::string url;     // the bucket's URL, without a '/' at its end: "https://bucket.s3.eu-west-1.amazonaws.com"
  std::string region;  // "eu-west-1"
};

struct S3Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // "" for lasting credentials
};

class S3Requests {
 public:
  // `credentials` is called before each request, since a role's credentials change; they are never written anywhere.
  S3Requests(S3Endpoint endpoint, std::function<arrow::Result<S3Credentials>()> credentials);

  // PUT with If-None-Match: *. Keys are paths inside the bucket. After an error the object may or may not have been
  // created, unless the error holds the server's answer.
  arrow::Result<CreateOutcome> Create(const std::string& key, const std::string& content) const;

  // Deletes one key after the other; a missing one is no error.
  arrow::Status Remove(const std::vector<std::string>& keys) const;

 private:
  struct Connection;
  struct Answer;
  // Sends until the server's answer is not "try again".
  arrow::Result<Answer> Send(Connection& connection, const char* method, const std::string& key,
                             const std::string& content) const;
  arrow::Result<Answer> SendOnce(Connection& connection, const char* method, const std::string& key,
                                 const std::string& content) const;

  const S3Endpoint endpoint_;
  const std::function<arrow::Result<S3Credentials>()> credentials_;
};

}  // namespace trawl
