import type { SeededBug } from '../seeded-bugs.ts'

/** Bugs that the simulation of a carrier in trouble must find. */
export const carrierBugs: readonly SeededBug[] = [
  {
    name: 'a 4xx about one address counts as a failure',
    file: 'adapters/remote-rates/carrier-calls.ts',
    edits: [
      [
        'if ((status >= 200 && status < 300) || isRefusal(status)) return',
        'if (status >= 200 && status < 300) return',
      ],
    ],
  },
  {
    name: 'shops share the token of an account',
    file: 'adapters/remote-rates/oauth.ts',
    edits: [
      ['const parts = [shop.id, tokenUrl, id, secret]', 'const parts = [tokenUrl, id.length, secret.length]'],
    ],
  },
  {
    name: 'a second login begins while one runs',
    file: 'adapters/remote-rates/oauth.ts',
    edits: [['kept.calling ??= this.#request', 'kept.calling = this.#request']],
  },
  {
    name: 'each call that a token was refused for logs in',
    file: 'adapters/remote-rates/oauth.ts',
    edits: [['if (kept.token === token) {', 'if (kept.token) {']],
  },
  {
    name: 'a token is used until the carrier refuses it',
    file: 'adapters/remote-rates/carrier-calls.ts',
    edits: [
      [
        'const next = renewed ? undefined : await login.refused(expired ? 401 : status)',
        'const next = undefined',
      ],
    ],
  },
  {
    name: 'equal carts of two shops share a cached price',
    file: 'use-cases/rates/question-for.ts',
    edits: [
      [
        'questionKey(secret, [name, id, settingsVersion, ...parts])',
        'questionKey(secret, [name, settingsVersion, ...parts])',
      ],
    ],
  },
  {
    name: 'the fallback of an adapter answers for what it refused',
    file: 'use-cases/rates/ask-rate-adapter.ts',
    edits: [['isFailure(answer) ? this.#askFallback', "answer.result !== 'methods' ? this.#askFallback"]],
  },
]
