/**
 * Every error answer of a provider (spec 7 is silent; the body is `application/problem+json`, RFC 9457). `status` is the
 * HTTP status, `title` the why, `remedy` what the caller or the operator does about it.
 */
export const problems = {
  BODY_UNREADABLE: {
    status: 400,
    title: 'The body is not JSON.',
    remedy: 'Send one JSON object in UTF-8, and a Content-Length that matches it.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'There is nothing at this address.',
    remedy:
      'Check the endpoint address and the order id. We do not say which is unknown, so that endpoints cannot be guessed.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'This address does not accept this HTTP method.',
    remedy: 'Use the method named in the Allow header.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    title: 'The body is too large for this address.',
    remedy: 'Send a smaller body. For calls of the contract the operator raises http.maxBody.',
  },
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    title: 'The headers do not describe a plain JSON body.',
    remedy:
      'Send Content-Type: application/json in UTF-8, without Content-Encoding. The only Transfer-Encoding allowed is chunked.',
  },
  BODY_INVALID: {
    status: 422,
    title: 'Fields of the body are missing or invalid.',
    remedy: 'Correct the fields that `errors` names.',
  },
  PUSH_NOT_VERIFIED: {
    status: 401,
    title: 'This push could not be verified.',
    remedy: 'Check the signing secret of the adapter, and that the raw body is verified.',
  },
  PUSH_WITHOUT_SHOP: {
    status: 404,
    title: 'A push at the shared address names no known shop.',
    remedy:
      'Give the payment service the id of the shop or of the attempt in `start`, and return it in `push.owner`.',
  },
  METHOD_UNKNOWN: {
    status: 422,
    title: 'No payment adapter offers the chosen payment method.',
    remedy: 'Send payment_method.id or payment_method.method as POST payment_methods answered it.',
  },
  HOST_NOT_ALLOWED: {
    status: 422,
    title: 'This shop may not use that host.',
    remedy:
      "Use https, port 443 and a host on the shop's list of hosts. A listed host may have another port.",
  },
  TOO_MANY_ATTEMPTS: {
    status: 409,
    title: 'This order has had 100 payment attempts and takes no more.',
    remedy: 'Send the newest attempt again as it was, or start the payment under a new order id.',
  },
  PAID_LESS: {
    status: 409,
    title: 'The order is paid, but with less than this call asks for.',
    remedy:
      'Do not settle the larger amount: `errors` names both. A paid order stays paid, so ask for the rest under a new order id.',
  },
  HOST_HEADER_INVALID: {
    status: 400,
    title: 'The request does not have exactly one Host header.',
    remedy: 'Send one Host header. A proxy in front replaces it and does not add a second one.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    title: 'Too many calls to this endpoint.',
    remedy: 'Wait as long as Retry-After says.',
  },
  INTERNAL: {
    status: 500,
    title: 'The provider failed to answer.',
    remedy: 'Look up the request id in the log of the provider.',
  },
  BODY_ALREADY_READ: {
    status: 500,
    title: 'The raw body was read before it reached this route.',
    remedy: 'Mount provider.router before express.json() and other body parsers.',
  },
  PAYMENT_START_FAILED: {
    status: 502,
    title: 'The payment adapter could not start the payment.',
    remedy: 'Send the same call again: it continues the same attempt. The log names the cause.',
  },
  RATES_UNAVAILABLE: {
    status: 503,
    title: 'No rate adapter answered, and there is no fallback.',
    remedy: 'Send the same call again after Retry-After. The log names the adapters and why each failed.',
  },
  KEYS_UNAVAILABLE: {
    status: 503,
    title: 'The keys for verifying callers cannot be fetched.',
    remedy: 'Send the same call again after Retry-After. The operator checks callers.bearer.jwks.',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    title: 'The store cannot be reached.',
    remedy: 'Send the same call again after Retry-After.',
  },
  SHUTTING_DOWN: {
    status: 503,
    title: 'The provider is stopping.',
    remedy: 'Send the same call again after Retry-After.',
  },
  PAYMENT_START_TIMEOUT: {
    status: 504,
    title: 'The payment adapter took too long to start the payment.',
    remedy: 'Send the same call again: it continues the same attempt.',
  },
  PAGE_TIMEOUT: {
    status: 504,
    title: 'The payment adapter took too long to answer for the page.',
    remedy: 'Open the page again. The log names the adapter; the operator raises payments.deadlines.page.',
  },
} as const satisfies Record<string, { status: number; title: string; remedy: string }>

/** The code of a problem answer. `purveyor explain` has a page for each. */
export type ProblemCode = keyof typeof problems
