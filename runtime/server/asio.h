// Boost.Asio, and what this room needs of it. Only files of this room include it.
#pragma once

#include <utility>  // Asio 1.74 uses it and does not include it

// Asio 1.74 knows coroutines of clang only as they were before C++20.
#if defined(__clang__)
#define BOOST_ASIO_HAS_CO_AWAIT 1
#define BOOST_ASIO_HAS_STD_COROUTINE 1
#endif

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace trawl {

namespace net = boost::asio;
using Tcp = boost::asio::ip::tcp;
using NetError = boost::system::error_code;

// Lets `co_await` put a failure into `*error` instead of throwing it.
inline auto To(NetError* error) { return net::redirect_error(net::use_awaitable, *error); }

}  // namespace trawl
