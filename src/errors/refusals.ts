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
    why: 'The name server knows no address of the host. Search domains of the system are not applied.',
    remedy:
      'Check the name with `dig <host>`, and write it in full, such as rates.shop.svc.cluster.local. A corrected name is looked up again within 10 s.',
  },
  NAME_SERVER_FAILED: {
    where: 'calls by `ctx.fetch` of an adapter, and calls of `webhook_url`; the call is not made',
    why: 'The name server does not answer for the host within 2 s, or answers with a failure. Other hosts do not wait for it.',
    remedy:
      'If it is one host, its owner has to repair its name server. If it is all hosts, check /etc/resolv.conf and the servers in it, or name others in PURVEYOR_NAME_SERVERS. A failed name is looked up again after 20 s.',
  },
  NAME_LOOKUPS_FULL: {
    where: 'calls by `ctx.fetch` of an adapter, and calls of `webhook_url`; the call is not made',
    why: 'One shop, or one adapter for one shop, waits for 72 host names already. Other shops and adapters do not wait for them.',
    remedy:
      'The log names the shop. If its payments name many hosts, close its list with `purveyor shop hosts confirm <shop> <host...>`.',
  },
  ANSWER_TOO_LARGE: {
    where: 'calls by `ctx.fetch` of an adapter; reading the answer fails',
    why: 'The answer has more bytes, decoded, than the adapter reads: 8 MiB, or its `network.maxAnswer`.',
    remedy: 'Ask for less at a time, or raise `network.maxAnswer` of the adapter.',
  },
  ANSWER_ENCODED_TWICE: {
    where: 'calls by `ctx.fetch` of an adapter; the answer is not decoded',
    why: 'The answer names several content codings, one in the other: a few bytes may cost minutes to decode.',
    remedy: 'Ask the service for one coding, or for none with the header `accept-encoding: identity`.',
  },
  OTHER_HOST: {
    where: 'calls of POST /payment; answered 201, and the address of the first call stays',
    why: "A later call for an order names another host in `webhook_url` or `redirect_url` than the first one did, or http after https, and the shop's list of hosts is open.",
    remedy:
      'If the host belongs to the shop, close the list with `purveyor shop hosts confirm <shop> <host...>`: the next call then takes effect. If it does not, rotate the endpoint.',
  },
  CONNECTIONS_FULL: {
    where: 'every connection of `serve` and `listen`; closed',
    why: 'All connections are taken: the one that waited longest for its peer was closed for a new one.',
    remedy:
      'Nothing while callers are answered. If it lasts, find in the proxy which caller opens so many, and raise `ulimit -n` to 12,500 if it is lower.',
  },
  SOCKET_NOT_READING: {
    where: 'every connection of `serve` and `listen`; closed',
    why: 'A peer left an answer unread for 10 s.',
    remedy: 'Nothing, if the peer is a stranger. A proxy in front has to read answers at once.',
  },
  TOO_MANY_STRANGERS: {
    where: 'every address but /health and /metrics, for a caller without a known token; answered 429',
    why: 'Too many calls came at once with a token that this process has not seen valid before: 4 are handled at a time, the others wait for up to 2 s.',
    remedy:
      'Nothing while it stops by itself: calls with a valid token do not wait. If it lasts, limit strangers in the proxy.',
  },
  TOO_MANY_VISITS: {
    where: 'payment pages and their files, /health and /metrics; answered 429',
    why: 'One payment page was opened more than 20 times a second beyond a burst of 60, or a request waited 2 s behind thousands of others of its kind. Calls of shops do not wait for them.',
    remedy:
      'Nothing while it stops by itself. If it lasts, find in the proxy which caller asks so often, and limit it there.',
  },
  TOO_MANY_PIPELINED: {
    where: 'every connection of `serve` and `listen`; closed',
    why: 'A peer sent five more requests without waiting for an answer.',
    remedy:
      'Nothing, if the peer is a stranger. A client of yours has to wait for an answer before the next request.',
  },
  BODY_IN_PIECES: {
    where: 'every connection of `serve` and `listen`; closed',
    why: 'A peer sent a body in more than 4,096 pieces of fewer than 64 bytes on average. Each piece costs as much as a large one.',
    remedy:
      'Nothing, if the peer is a stranger. A client of yours has to send a body whole, or in larger chunks.',
  },
  REQUEST_UNREADABLE: {
    where: 'every connection of `serve` and `listen`; answered 400, 413 or 431, and closed',
    why: 'The bytes are not an unambiguous HTTP/1.1 request, or the headers are larger than 16 KiB.',
    remedy:
      'Nothing, if the peer is a stranger. A proxy in front has to speak HTTP/1.1 without TLS to this port, with at most 16 KiB of headers.',
  },
  CONNECT_REFUSED: {
    where: 'every connection of `serve` and `listen`; answered 405, and closed',
    why: 'A peer sent CONNECT, which asks a proxy for a tunnel. A provider is not a proxy.',
    remedy: 'Nothing, if the peer is a stranger. If the client is yours, it uses this address as its proxy.',
  },
  REQUEST_TOO_SLOW: {
    where: 'every connection of `serve` and `listen`; answered 408, and closed',
    why: 'A peer took more than 10 s for the headers of a request, or more than 13 s for all of it.',
    remedy:
      'Nothing, if the peer is a stranger. A proxy in front has to read a request whole before it passes it on.',
  },
  PAGE_FORM_FOREIGN: {
    where: 'calls of POST /p/{token}; answered 403, and the form reaches no adapter',
    why: 'A form of a payment page comes from another website, as its `Origin` or `Sec-Fetch-Site` says.',
    remedy:
      'If your own customers see this, compare PURVEYOR_PUBLIC_URL with the address that their browsers show.',
  },
  PAGE_FORMS_TOO_MANY: {
    where: 'calls of POST /p/{token}; answered with the page again, and the form reaches no adapter',
    why: 'A page had five forms that came to nothing, so it pauses, or as many as it may have, so its attempt ends. Somebody may try numbers of cards or vouchers.',
    remedy:
      'Nothing, if it is a stranger. If your own customers cause this, look at what their forms are answered; `page.mostForms` of the adapter can only be lower.',
  },
  RETURN_UNVERIFIED: {
    where: 'calls of /p/{token}/return; what was sent along is dropped, and the customer goes on to the shop',
    why: 'A customer came back with a result that the `returned.verify` of the payment adapter did not confirm: anybody can open this address.',
    remedy:
      'If your own customers cause this, compare the key of the shop with that of the payment service. The status still comes by a push, or when the service is asked.',
  },
  METRICS_REFUSED: {
    where: 'the address /metrics; answered 404',
    why: 'A caller does not send the bearer token `http.metricsToken`. Without such a token production serves no metrics.',
    remedy: 'If it is your own monitoring, give both the same token: PURVEYOR_METRICS_TOKEN.',
  },
  METHOD_LEFT_OUT: {
    where: 'calls of POST shipment_methods and payment_methods; the method is not in the answer',
    why: 'An adapter offers a method that the contract does not allow, or one of the same id as another, or too many.',
    remedy:
      '`method` in this line is the place of the method in the answer of the adapter, and `fault` is the field and what is wrong with it. The line comes once a minute; `purveyor rates explain` shows all methods. Correct the adapter.',
  },
  PRICES_DISAGREE: {
    where: 'calls of POST shipment_methods and payment_methods; the method is offered as it is',
    why: 'An adapter offers a method whose price_incl is not its price_excl with tax_rate, so the invoice does not add up.',
    remedy:
      '`method` in this line is the place of the method in the answer of the adapter; `purveyor rates explain` shows the prices. Compute the three fields with price().',
  },
  AMOUNT_ROUNDED: {
    where: 'calls of POST shipment_methods, payment_methods and payment; the total is rounded half up',
    why: 'The platform sent a total with more digits than its currency has, such as 1048.45 JPY or 41.285 EUR: nobody can pay that.',
    remedy:
      '`path` in this line is the field. Compare the rounded amount with the one that the shop shows, and report it to the platform. `purveyor shop drift` counts such messages.',
  },
  PUSH_OTHER_SHOP: {
    where: 'calls of POST /n/{adapter}/{token}; answered 204, and the report is dropped',
    why: 'A verified push names a payment of another shop or adapter than its push address.',
    remedy:
      'Give the payment service the push address of each shop: `purveyor shop show <shop> --endpoint` prints it. For one address of all shops return the shop in `push.owner`.',
  },
  ROW_LOCKED: {
    where:
      'calls about payments, on PostgreSQL; tried for 2 s, then answered 503. The outcome of a form on a payment page is stored again for 40 s.',
    why: 'Another client of the database server has locked a row, such as a person with an open transaction. With an order in the log line the row belongs to this order, and other orders do not wait for it. Without one it belongs to a lane, and the orders of its shop wait.',
    remedy:
      "Find who holds it: select pid, usename, application_name, xact_start, query from pg_stat_activity where state like 'idle in transaction%'. End it with select pg_terminate_backend(pid): the orders continue within a second.",
  },
} as const satisfies Record<string, { where: string; why: string; remedy: string }>

export type RefusalCode = keyof typeof refusals
