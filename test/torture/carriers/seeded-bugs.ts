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
    of: 'CarrierCalls.#unlessFailed',
    edits: [
      [
        'if ((status >= 200 && status < 300) || isRefusal(status)) return',
        'if (status >= 200 && status < 300) return',
      ],
    ],
  },
  {
    name: 'shops share the token of an account',
    of: 'parts',
    edits: [
      ['const parts = [shop.id, tokenUrl, id, secret]', 'const parts = [tokenUrl, id.length, secret.length]'],
    ],
  },
  {
    name: 'a second login begins while one runs',
    of: 'ClientCredentials.#call',
    edits: [['kept.calling ??= this.#request', 'kept.calling = this.#request']],
  },
  {
    name: 'each call that a token was refused for logs in',
    of: 'refused',
    edits: [['if (kept.token === token) {', 'if (kept.token) {']],
  },
  {
    name: 'a token is used until the carrier refuses it',
    of: 'next',
    edits: [
      [
        'const next = renewed ? undefined : await login.refused(expired ? 401 : status)',
        'const next = undefined',
      ],
    ],
  },
  {
    name: 'equal carts of two shops share a cached price',
    of: 'keyed',
    edits: [
      [
        'questionKey(secret, [name, id, settingsVersion, ...parts])',
        'questionKey(secret, [name, settingsVersion, ...parts])',
      ],
    ],
  },
  {
    name: 'the fallback of an adapter answers for what it refused',
    of: 'instead',
    edits: [['isFailure(answer) ? this.#askFallback', "answer.result !== 'methods' ? this.#askFallback"]],
  },
  {
    name: 'a promise is shown after its cut-off',
    of: 'holds',
    edits: [['goodUntil === undefined || goodUntil > now', 'goodUntil === undefined || now > 0']],
  },
  {
    name: 'an indivisible piece is divided',
    of: 'room',
    by: 'parcels',
    edits: [['Math.floor(((most - used) / each) * tolerance)', '((most - used) / each) * tolerance']],
  },
  {
    name: 'a piece that no parcel can hold is sent',
    of: 'MeasuredCart.#list',
    by: 'parcels',
    edits: [['for (const piece of pieces) this.#fits(piece)', 'void this.#fits']],
  },
  {
    name: 'half of a tariff is in use',
    of: 'WatchedFile.#takeCandidate',
    by: 'tariffs',
    edits: [
      ['if (!isSame(versionIn(await handle.stat({ bigint: true })), version)) return false', 'void version'],
    ],
  },
  {
    name: 'a tariff that is replaced all the time is never in use',
    of: 'WatchedFile.#takeCandidate',
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
    of: 'WatchedFiles.look',
    by: 'tariffs',
    edits: [['if (!watch) return', 'if (watch) return']],
  },
]
