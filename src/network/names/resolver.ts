import type { LookupAddress } from 'node:dns'
import { LRUCache } from 'lru-cache'
import { hasCode, PurveyorError } from '../../errors/errors.ts'
import { refusals } from '../../errors/refusals.ts'
import { type LookupOutcome, upTo, type World } from '../../world.ts'
import type { Found } from './name-server.ts'
import { Turns } from './turns.ts'

const outcomes = {
  NAME_NOT_FOUND: 'not_found',
  NAME_SERVER_FAILED: 'failed',
  NAME_LOOKUPS_FULL: 'full',
} as const
export type UnresolvedCode = keyof typeof outcomes
const codes = Object.keys(outcomes) as UnresolvedCode[]

/** The host has no address to connect to. The call was not made. */
export const nameUnresolved = (code: UnresolvedCode, host: string): PurveyorError =>
  new PurveyorError(code, `${host} has no address (${code}). ${refusals[code].why}`, { place: host })

export const isUnresolved = (error: unknown) => hasCode(error, ...codes)

const mostNames = 10_000
/** How long a name without an answer is not looked up again, in milliseconds. */
const askAgain = { NAME_NOT_FOUND: 10_000, NAME_SERVER_FAILED: 20_000 }
/** How long addresses stay in use while the name server fails, in milliseconds. */
const staleFor = 3_600_000
/** How long after its TTL an answer is used at once while a new one is fetched, in milliseconds. */
const refreshedWithin = 30_000
/** How long a caller waits for a new answer if there is only an older one, in milliseconds. */
const freshPatience = 100

interface Known {
  turns: Turns
  addresses: readonly LookupAddress[]
  failure: UnresolvedCode | undefined
  /** The time of the next lookup. */
  until: number
  /** The time until which the addresses are used while the name server fails. */
  staleUntil: number
}

export interface ResolverOptions {
  /** Asks for the addresses of a name. Never rejects. */
  ask: (name: string) => Promise<Found>
  now: () => number
  after: World['after']
  seen: (outcome: LookupOutcome) => void
}

/**
 * The names of one kind of caller. Answers are kept for their TTL, from 5 s to 5 min. They serve for 30 s more while a new one is fetched, so
 * that no call waits for a name in use. "No such name" is kept for 10 s, and the failure of a name server for 20 s, so that a silent server
 * delays one call and not each. While a name server fails, addresses stay in use for an hour: TLS verifies that they still belong to the
 * host. Each shop or adapter has turns of its own.
 */
export class Resolver {
  readonly #options: ResolverOptions
  readonly #turns = new Map<string, Turns>()
  readonly #asking = new Map<string, Promise<Known>>()
  /** Names that are being refreshed while their old answer is used. */
  readonly #refreshing = new Set<string>()
  readonly #names = new LRUCache<string, Known>({
    ...upTo(mostNames),
    dispose: ({ turns }, name, reason) => reason !== 'set' && this.#drop(name, turns),
  })

  constructor(options: ResolverOptions) {
    this.#options = options
  }

  /** Whether the addresses of a name are known without a lookup. */
  isFresh(name: string): boolean {
    const known = this.#names.peek(name)
    return known !== undefined && known.failure === undefined && this.#options.now() < known.until
  }

  /**
   * `name` is in lower case and without a dot at its end. Without an asker it takes the turns of the one that found it first; an unknown name gets
   * turns of its own. Rejects with an `UnresolvedCode`.
   */
  async find(name: string, asker: string | undefined): Promise<readonly LookupAddress[]> {
    const { seen } = this.#options
    try {
      const { addresses, outcome } = await this.#find(name, asker)
      seen(outcome)
      return addresses
    } catch (error) {
      if (isUnresolved(error)) seen(outcomes[error.code])
      throw error
    }
  }

  async #find(name: string, given: string | undefined): Promise<Answer> {
    const known = this.#names.get(name)
    const asker = given ?? known?.turns.key ?? `name ${name}`
    if (known) this.#keep(name, known)
    if (known && this.#options.now() < known.until) return answerOf(name, known, 'known')
    if (known && known.failure === undefined && this.#options.now() < known.until + refreshedWithin) {
      this.#refreshBeside(name, asker)
      return answerOf(name, known, 'known')
    }
    const refreshed = this.#refresh(name, asker)
    if (!known || !this.#isUsable(known)) return answerOf(name, await refreshed, 'answered')
    const newest = await this.#withPatience(refreshed, known)
    return answerOf(name, newest, newest === known ? 'stale' : 'answered')
  }

  #refreshBeside(name: string, asker: string): void {
    if (this.#refreshing.has(name)) return
    this.#refreshing.add(name)
    // The next call repeats a failed lookup.
    this.#refresh(name, asker)
      .catch(() => {})
      .finally(() => this.#refreshing.delete(name))
  }

  /** Returns a new answer, or the old one after a moment. If the last try failed, the old one at once. */
  #withPatience(refreshed: Promise<Known>, known: Known): Promise<Known> {
    return new Promise((resolve) => {
      const old = () => resolve(known)
      const cancel = this.#options.after(known.failure ? 0 : freshPatience, old)
      refreshed.then(resolve, old).finally(cancel)
    })
  }

  async #refresh(name: string, asker: string): Promise<Known> {
    const asking = this.#asking.get(name)
    if (asking) return asking
    const turns = this.#turnsOf(asker)
    if (!(await turns.enter())) throw nameUnresolved('NAME_LOOKUPS_FULL', name)
    try {
      // Another lookup may have found it meanwhile.
      const known = this.#names.get(name)
      if (known && this.#options.now() < known.until) return known
      return await (this.#asking.get(name) ?? this.#ask(name, turns))
    } finally {
      turns.leave()
      this.#dropIdle(turns)
    }
  }

  #ask(name: string, turns: Turns): Promise<Known> {
    const asked = this.#options
      .ask(name)
      .then((found) => this.#learn(name, found, turns))
      .finally(() => this.#asking.delete(name))
    this.#asking.set(name, asked)
    return asked
  }

  #learn(name: string, found: Found, askedIn: Turns): Known {
    const now = this.#options.now()
    const before = this.#names.get(name)
    const turns = before?.turns ?? askedIn
    const failure = 'ttl' in found ? undefined : found.failure
    const until = now + ('ttl' in found ? found.ttl : askAgain[found.failure])
    const stays = failure === 'NAME_SERVER_FAILED' && before && this.#isUsable(before)
    const { addresses, staleUntil } = stays
      ? before
      : { addresses: found.addresses, staleUntil: failure ? 0 : until + staleFor }
    const known: Known = { turns, addresses, failure, until, staleUntil }
    this.#names.set(name, known)
    this.#keep(name, known)
    return known
  }

  #isUsable({ addresses, staleUntil }: Known): boolean {
    return addresses.length > 0 && this.#options.now() < staleUntil
  }

  #keep(name: string, { turns }: Known): void {
    const tooMany = turns.keep(name)
    if (tooMany !== undefined) this.#names.delete(tooMany)
  }

  #drop(name: string, turns: Turns): void {
    turns.drop(name)
    this.#dropIdle(turns)
  }

  #dropIdle(turns: Turns): void {
    if (turns.idle) this.#turns.delete(turns.key)
  }

  #turnsOf(key: string): Turns {
    const turns = this.#turns.get(key) ?? new Turns(key, this.#options.after)
    this.#turns.set(key, turns)
    return turns
  }
}

interface Answer {
  addresses: readonly LookupAddress[]
  outcome: LookupOutcome
}

function answerOf(name: string, { addresses, failure }: Known, outcome: LookupOutcome): Answer {
  if (addresses.length === 0) throw nameUnresolved(failure ?? 'NAME_NOT_FOUND', name)
  return { addresses, outcome: failure ? 'stale' : outcome }
}
