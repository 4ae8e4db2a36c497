// The pages, each a function of its request and of the API's values. web.cc has the routes to them.
#pragma once

#include <string>

#include "jobs/web/call.h"
#include "runtime/server/message.h"

namespace trawl {

ServerAnswer CrawlPage(PageCall& call);   // what the crawl does now, and what it waits for
ServerAnswer RoundsPage(PageCall& call);  // the rounds over time
ServerAnswer RoundPage(PageCall& call);   // one round, also while it runs
ServerAnswer HostsPage(PageCall& call);   // hosts that wait, are slow, fail, are large, or may be traps
ServerAnswer HostPage(PageCall& call);    // the answer to a webmaster's question
ServerAnswer HostSheet(PageCall& call);   // the same as a file to send
ServerAnswer UrlPage(PageCall& call);     // why a URL is as it is
ServerAnswer SearchPage(PageCall& call);
ServerAnswer SearchCsv(PageCall& call);
ServerAnswer PagePage(PageCall& call);  // a stored page
ServerAnswer PageBody(PageCall& call);  // its body, as a download
ServerAnswer WorkersPage(PageCall& call);
ServerAnswer JobsPage(PageCall& call);
ServerAnswer JobPage(PageCall& call);
ServerAnswer FindPage(PageCall& call);   // to the page of a URL or of a host
ServerAnswer SeedsPage(PageCall& call);  // the form for seeds
ServerAnswer LoginPage(PageCall& call);

// The workers of all open rounds with what each has done: {"workers": […]}. What cannot be had is noted in *missing.
Json ReadWorkers(PageCall& call, Markup* missing);

// A section with the form for seeds, filled with `urls`, where the visitor may write; else what to do instead.
Markup SeedSection(const PageCall& call, const std::string& urls);

// Forms that change the crawl (POST).
ServerAnswer ChangeHost(PageCall& call);
ServerAnswer DropUrl(PageCall& call);
ServerAnswer AddSeeds(PageCall& call);

}  // namespace trawl
