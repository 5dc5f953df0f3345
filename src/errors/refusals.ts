/**
 * All refusals without a reason for the caller: the uniform 404, a closed connection, a value that is left out. The operator finds the
 * reason under this code in the log, in `purveyor_refused_total` of `/metrics` and in `purveyor explain`.
 */
export const refusals = {
  CALLER_REFUSED: {
    where: 'every address below /e/{token}; answered 404',
    why: 'A caller knows the endpoint and fails the checks in `http.callers`.',
    remedy:
      'Compare `http.callers` with what the platform sends. If the caller is a stranger, rotate the endpoint.',
  },
  NOT_THIS_MACHINE: {
    where: 'every address of a provider in development; answered 403',
    why: 'Development serves callers on this machine only. This call came from another address, named another host, or went through a proxy.',
    remedy:
      'To serve others set PURVEYOR_PUBLIC_URL to your https address, or NODE_ENV=production: both make it production.',
  },
  OTHER_SHOP: {
    where: 'every address below /e/{token}; answered 404',
    why: 'A call names another platform shop id than the one this endpoint is bound to, or two different ids.',
    remedy:
      'Give each shop an endpoint of its own with `purveyor shop add`. If the endpoint is bound to the wrong shop, change it with `purveyor shop bind`.',
  },
  SHOP_ID_INVALID: {
    where: 'every address below /e/{token}; answered 404',
    why: 'A call names a platform shop id that is not a whole number, in `X-Shop-Id` or in `shop.id`.',
    remedy: 'Platforms never send this. If the caller is a stranger, rotate the endpoint.',
  },
  OUTGOING_REFUSED: {
    where: 'calls by `ctx.fetch` of an adapter, and calls of `webhook_url`; the call is not made',
    why: 'The address is not https, leads into a private network, or is the provider itself.',
    remedy: 'Check the address. An adapter that needs a private network names it in its `network.allow`.',
  },
  NAME_NOT_FOUND: {
    where: 'calls by `ctx.fetch` of an adapter, and calls of `webhook_url`; the call is not made',
    why: 'The name server has no address for the host. The search domains of the system are not used.',
    remedy:
      'Check the name with `dig <host>`, and write it in full, such as rates.shop.svc.cluster.local. A corrected name is looked up again within 10 s.',
  },
  NAME_SERVER_FAILED: {
    where: 'calls by `ctx.fetch` of an adapter, and calls of `webhook_url`; the call is not made',
    why: 'The name server does not answer for the host within 2 s, or answers with a failure. Other hosts do not wait for it.',
    remedy:
      'If one host fails, its owner must repair its name server. If all hosts fail, check /etc/resolv.conf and the servers in it, or name others in PURVEYOR_NAME_SERVERS. A failed name is looked up again after 20 s.',
  },
  NAME_LOOKUPS_FULL: {
    where: 'calls by `ctx.fetch` of an adapter, and calls of `webhook_url`; the call is not made',
    why: 'One shop, or one adapter for one shop, already waits for 72 host names. Other shops and adapters are not affected.',
    remedy:
      'The log names the shop. If its payments name many hosts, close its list with `purveyor shop hosts confirm <shop> <host...>`.',
  },
  ANSWER_TOO_LARGE: {
    where: 'calls by `ctx.fetch` of an adapter; reading the answer fails',
    why: 'The decoded answer is larger than the adapter allows: 8 MiB, or its `network.maxAnswer`.',
    remedy: 'Ask for less at a time, or raise `network.maxAnswer` of the adapter.',
  },
  ANSWER_ENCODED_TWICE: {
    where: 'calls by `ctx.fetch` of an adapter; the answer is not decoded',
    why: 'The answer is compressed several times over: a few bytes may take minutes to decode.',
    remedy: 'Ask the service for one compression, or for none with the header `accept-encoding: identity`.',
  },
  OTHER_HOST: {
    where: 'calls of POST /payment; answered 201, and the address of the first call stays',
    why: "A later call for an order changes the host of `webhook_url` or `redirect_url`, or uses http instead of https, and the shop's list of hosts is open.",
    remedy:
      'If the host belongs to the shop, close the list with `purveyor shop hosts confirm <shop> <host...>`: the next call then takes effect. If it does not, rotate the endpoint.',
  },
  CONNECTIONS_FULL: {
    where: 'every connection of `serve` and `listen`; closed',
    why: 'All connections are in use. The one that waited longest for its client was closed to make room.',
    remedy:
      'Nothing to do while callers get answers. If it lasts, find in the proxy which caller opens so many, and raise `ulimit -n` to 12,500 if it is lower.',
  },
  SOCKET_NOT_READING: {
    where: 'every connection of `serve` and `listen`; closed',
    why: 'A client did not read its answer for 10 s.',
    remedy: 'Nothing to do if the client is a stranger. A proxy in front must read answers at once.',
  },
  TOO_MANY_STRANGERS: {
    where: 'every address but /health and /metrics, for a caller without a known token; answered 429',
    why: 'Too many calls came at once with tokens that are new to this process: 4 are handled at a time, the others wait for up to 2 s.',
    remedy:
      'Nothing to do if it stops by itself: calls with a valid token do not wait. If it lasts, limit strangers in the proxy.',
  },
  TOO_MANY_VISITS: {
    where: 'payment pages and their files, /health and /metrics; answered 429',
    why: 'One payment page was opened more than 20 times a second after a burst of 60, or a request waited 2 s behind thousands of others of its kind. Calls of shops do not wait for them.',
    remedy:
      'Nothing to do if it stops by itself. If it lasts, find in the proxy which caller asks so often, and limit it there.',
  },
  TOO_MANY_PIPELINED: {
    where: 'every connection of `serve` and `listen`; closed',
    why: 'A client sent five more requests without waiting for an answer.',
    remedy:
      'Nothing to do if the client is a stranger. Your own client must wait for an answer before the next request.',
  },
  BODY_IN_PIECES: {
    where: 'every connection of `serve` and `listen`; closed',
    why: 'A client sent a body in more than 4,096 pieces of fewer than 64 bytes on average. Each piece costs as much as a large one.',
    remedy:
      'Nothing to do if the client is a stranger. Your own client must send the body whole, or in larger chunks.',
  },
  REQUEST_UNREADABLE: {
    where: 'every connection of `serve` and `listen`; answered 400, 413 or 431, and closed',
    why: 'The request is not clear HTTP/1.1, or its headers are larger than 16 KiB.',
    remedy:
      'Nothing to do if the client is a stranger. A proxy in front must speak HTTP/1.1 without TLS to this port, with at most 16 KiB of headers.',
  },
  CONNECT_REFUSED: {
    where: 'every connection of `serve` and `listen`; answered 405, and closed',
    why: 'A client sent CONNECT, which asks a proxy for a tunnel. A provider is not a proxy.',
    remedy:
      'Nothing to do if the client is a stranger. If it is your own client, stop it from using this address as its proxy.',
  },
  REQUEST_TOO_SLOW: {
    where: 'every connection of `serve` and `listen`; answered 408, and closed',
    why: 'A client took more than 10 s for the headers of a request, or more than 13 s for all of it.',
    remedy:
      'Nothing to do if the client is a stranger. A proxy in front must read a request whole before it passes it on.',
  },
  PAGE_FORM_FOREIGN: {
    where: 'calls of POST /p/{token}; answered 403, and the form reaches no adapter',
    why: 'A form of a payment page comes from another website, as its `Origin` or `Sec-Fetch-Site` says.',
    remedy:
      'If your own customers see this, compare PURVEYOR_PUBLIC_URL with the address that their browsers show.',
  },
  PAGE_FORMS_TOO_MANY: {
    where: 'calls of POST /p/{token}; answered with the page again, and the form reaches no adapter',
    why: 'Five forms of a page led to no payment, so the page pauses; or it reached its maximum number of forms, so the attempt ends. Somebody may be trying out card or voucher numbers.',
    remedy:
      'Nothing to do if it is a stranger. If your own customers cause this, look at the answers to their forms; `page.mostForms` of the adapter can only lower the maximum.',
  },
  RETURN_UNVERIFIED: {
    where: 'calls of /p/{token}/return; the result is dropped, and the customer continues to the shop',
    why: 'A customer came back with a result that `returned.verify` of the payment adapter did not confirm. Anybody can open this address.',
    remedy:
      'If your own customers cause this, compare the key of the shop with the one at the payment service. The status still arrives with a push or a check.',
  },
  METRICS_REFUSED: {
    where: 'the address /metrics; answered 404',
    why: 'A caller does not send the bearer token `http.metricsToken`. Without such a token production serves no metrics.',
    remedy: 'If it is your own monitoring, give both the same token: PURVEYOR_METRICS_TOKEN.',
  },
  METHOD_LEFT_OUT: {
    where: 'calls of POST shipment_methods and payment_methods; the method is not in the answer',
    why: 'An adapter offers a method that breaks the contract, two methods with the same id, or too many methods.',
    remedy:
      'Correct the adapter. In the log line `method` is the place of the method in the answer of the adapter, and `fault` names the field and what is wrong. The line appears once a minute; `purveyor rates explain` shows all methods.',
  },
  PRICES_DISAGREE: {
    where: 'calls of POST shipment_methods and payment_methods; the method is offered as it is',
    why: 'The price_incl of an offered method is not its price_excl plus tax_rate, so the invoice does not add up.',
    remedy:
      'Compute the three fields with price(). In the log line `method` is the place of the method in the answer of the adapter; `purveyor rates explain` shows the prices.',
  },
  AMOUNT_ROUNDED: {
    where: 'calls of POST shipment_methods, payment_methods and payment; the total is rounded half up',
    why: 'The platform sent a total with more decimals than its currency has, such as 1048.45 JPY or 41.285 EUR. Nobody can pay that.',
    remedy:
      'In the log line `path` names the field. Compare the rounded amount with the one that the shop shows, and report it to the platform. `purveyor shop drift` counts such messages.',
  },
  PUSH_OTHER_SHOP: {
    where: 'calls of POST /n/{adapter}/{token}; answered 204, and the report is dropped',
    why: 'A verified push names a payment of another shop or adapter than the one of its push address.',
    remedy:
      'Give the payment service the push address of each shop: `purveyor shop show <shop> --endpoint` prints it. If all shops share one address, return the shop in `push.owner`.',
  },
  ROW_LOCKED: {
    where:
      'calls about payments, on PostgreSQL; tried for 2 s, then answered 503. The outcome of a form on a payment page is stored again for 40 s.',
    why: 'Another client of the database server has locked a row, such as a person with an open transaction. If the log line names an order, only this order waits. Otherwise the row belongs to a lane, and all orders of its shop wait.',
    remedy:
      "Find out who holds it: select pid, usename, application_name, xact_start, query from pg_stat_activity where state like 'idle in transaction%'. End it with select pg_terminate_backend(pid): the orders continue within a second.",
  },
} as const satisfies Record<string, { where: string; why: string; remedy: string }>

export type RefusalCode = keyof typeof refusals
