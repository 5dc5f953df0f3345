import { readBugs } from '../seed-bug.ts'

/** Bugs about carriers, which the short simulation of a carrier in trouble must find. */
export const carrierBugs = readBugs(`
  a 4xx about one address counts as a failure
    CarrierCalls.#unlessFailed: if ((status >= 200 && status < 300) || isRefusal(status)) return
      ==> if (status >= 200 && status < 300) return
  shops share the token of an account
    parts: const parts = [shop.id, request] ==> const parts = [request.tokenUrl, id.length, secret.length]
  a second login begins while one runs
    ClientCredentials.#call: kept.calling ??= this.#request ==> kept.calling = this.#request
  each call that a token was refused for logs in
    refused: if (kept.token === token) { ==> if (kept.token) {
  a token is used until the carrier refuses it
    next: const next = renewed ? undefined : await login.refused(expired ? 401 : status)
      ==> const next = undefined
  equal carts of two shops share a cached price
    keyed: [name, shop.id, shop.settingsVersion, ...parts] ==> [name, shop.settingsVersion, ...parts]
  the fallback of an adapter answers for what it refused
    replaced: isFailure(answer) ? this.#askFallback ==> answer.result !== 'methods' ? this.#askFallback
  a promise is shown after its cut-off
    holds: goodUntil === undefined || goodUntil > now ==> goodUntil === undefined || now > 0
`)
