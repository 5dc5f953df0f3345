import type { SeededBug } from '../seeded-bugs.ts'
import type { CarrierRule } from './rules.ts'

interface CarrierBug extends SeededBug {
  /** The rule whose attempts find it. Default: the simulation. */
  by?: CarrierRule
}

/** Bugs that the simulation of a carrier in trouble must find, or the attempts to break a rule. */
export const carrierBugs: readonly CarrierBug[] = [
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
  {
    name: 'a promise is shown after its cut-off',
    file: 'use-cases/rates/still-true.ts',
    edits: [['goodUntil === undefined || goodUntil > now', 'goodUntil === undefined || now > 0']],
  },
  {
    name: 'an indivisible piece is divided',
    file: 'rates/packing.ts',
    by: 'parcels',
    edits: [['Math.floor(((most - used) / each) * tolerance)', '((most - used) / each) * tolerance']],
  },
  {
    name: 'a piece that no parcel can hold is sent',
    file: 'rates/measured-cart.ts',
    by: 'parcels',
    edits: [['for (const piece of pieces) this.#fits(piece)', 'void this.#fits']],
  },
  {
    name: 'half of a tariff is in use',
    file: 'adapters/files/watched-file.ts',
    by: 'tariffs',
    edits: [
      ['if (!isSame(versionIn(await handle.stat({ bigint: true })), version)) return false', 'void version'],
    ],
  },
  {
    name: 'a tariff that is replaced all the time is never in use',
    file: 'adapters/files/watched-file.ts',
    by: 'tariffs',
    edits: [
      [
        'if (!isSame(versionIn(await handle.stat({ bigint: true })), version)) return false',
        'if (!isSame((await versionOf(this.#file)) ?? nowhere, version)) return false',
      ],
    ],
  },
  {
    name: 'a changed tariff is in use at the next start only',
    file: 'adapters/files/watched-files.ts',
    by: 'tariffs',
    edits: [['if (!watch) return', 'if (watch) return']],
  },
]
