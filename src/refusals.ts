/**
 * Every refusal that its caller is not given a reason for: an answer such as the uniform 404, a connection that is closed, a value that is
 * left out. The operator finds the reason under this code in the log, in `purveyor_refused_total` of `/metrics` and in
 * `purveyor explain`.
 */
export const refusals = {
  CALLER_REFUSED: {
    where: 'every address below /e/{token}; answered 404',
    why: 'A caller knows the endpoint and does not pass the checks in `callers`.',
    remedy:
      'Compare `callers` with what the platform sends. If the caller is a stranger, rotate the endpoint.',
  },
  OTHER_SHOP: {
    where: 'every address below /e/{token}; answered 404',
    why: 'A call names another platform shop id than the one this endpoint is bound to, or two different ids.',
    remedy:
      'Give each shop an endpoint of its own with `purveyor shop add`. If the endpoint is bound to the wrong shop, bind it anew with `purveyor shop bind`.',
  },
  SHOP_ID_INVALID: {
    where: 'every address below /e/{token}; answered 404',
    why: 'A call names a platform shop id that is not a whole number, in `X-Shop-Id` or in `shop.id`.',
    remedy: 'Platforms never send this. If the caller is a stranger, rotate the endpoint.',
  },
} as const satisfies Record<string, { where: string; why: string; remedy: string }>

export type RefusalCode = keyof typeof refusals
