import type { SeededBug } from '../seeded-bugs.ts'
import type { NeighbourKind } from './all.ts'

/** A bug that lets a bad neighbour harm others, and the run of that neighbour which must find it. */
export type NeighbourBug = SeededBug & { by: NeighbourKind }

export const neighbourBugs: readonly NeighbourBug[] = [
  {
    name: 'names are looked up in the threads of the process',
    by: 'silent-name-server',
    of: 'ask',
    edits: [
      [
        'ask: askFamily ?? new NameServers(nameServers).ask,',
        "ask: askFamily ?? (async (name, family) => { return (await (await import('node:dns/promises')).lookup(name, { all: true, family })).map(({ address }) => ({ address, ttl: 5 })) }),",
      ],
    ],
  },
  {
    name: 'the lookups of all shops wait in one lane',
    by: 'silent-name-server',
    of: 'lane',
    edits: [['this.#laneOf(laneName)', "this.#laneOf(laneName && '')"]],
  },
  {
    name: 'a name server that is silent is asked again for each call',
    by: 'silent-name-server',
    of: 'NAME_SERVER_FAILED',
    edits: [['NAME_SERVER_FAILED: 20_000', 'NAME_SERVER_FAILED: 0']],
  },
  {
    name: 'large answers of name servers are read where calls are answered',
    by: 'large-name-answers',
    of: 'ask',
    edits: [
      [
        'ask: askFamily ?? new NameServers(nameServers).ask,',
        "ask: askFamily ?? (async (name, family) => { const resolver = new (await import('node:dns/promises')).Resolver(); resolver.setServers(nameServers ?? []); return family === 4 ? resolver.resolve4(name, { ttl: true }) : resolver.resolve6(name, { ttl: true }) }),",
      ],
    ],
  },
  {
    name: 'a carrier that is down costs every shop its patience',
    by: 'hanging-carrier',
    of: 'SharedBreaker.failed',
    edits: [['if (failures < failuresInARow) return false', 'if (failures > 0) return false']],
  },
  {
    name: 'one shop whose key has expired opens the breaker for all',
    by: 'hanging-carrier',
    of: 'mostOfOneShop',
    edits: [['const mostOfOneShop = 2', 'const mostOfOneShop = 5']],
  },
  {
    name: 'rates end with the database',
    by: 'database-away',
    of: 'known',
    edits: [['goesOn ? this.#shops.get(tokenHash) : undefined', '(goesOn, undefined as Known | undefined)']],
  },
  {
    name: 'a shop that the store has shut is open while the store is away',
    by: 'database-away',
    of: 'KnownShops.#look',
    edits: [['      else this.#shops.delete(tokenHash)\n', '']],
  },
  {
    name: 'the port closes before a balancer has seen the stop',
    by: 'rolling-restarts',
    of: 'Lifecycle.#stop',
    edits: [
      [
        'announceEnd(server, delay ?? configuration.stopDelay)',
        'announceEnd(server, 0 * configuration.stopDelay)',
      ],
    ],
  },
  {
    name: 'readiness says nothing of a stop',
    by: 'rolling-restarts',
    of: 'Lifecycle.#stop',
    edits: [['state.stopping = !replaced', 'state.stopping = replaced && false']],
  },
  {
    name: 'orders that a shop refuses close its lane',
    by: 'refusing-receiver',
    of: 'isAboutOrder',
    edits: [['status !== undefined && status >= 400 && status < 500', 'status !== undefined && status < 0']],
  },
  {
    name: 'a success makes orders due that were refused themselves',
    by: 'refusing-receiver',
    of: 'room',
    edits: [
      [
        'const room = ended.flatMap(({ lane }) => calls.makeRoom({ lane }))',
        "const allDue = prepare((value) => db.updateTable('webhooks').set({ due_at: value('now') }).where('lane', '=', value('lane')).where('owner', 'is', null).where('due_at', 'is not', null))\n      const room = [...batch.map(({ owed, call }) => ask(allDue, { lane: owed.lane, now: call.at + call.ms })), ...ended.flatMap(({ lane }) => calls.makeRoom({ lane }))]",
      ],
    ],
  },
  {
    name: 'refused orders go before fresh ones',
    by: 'refusing-receiver',
    of: 'refusedKind',
    edits: [['tries > 0 and waits_for_lane in (0, 10)', 'tries = 0 and waits_for_lane in (0, 10)']],
  },
  {
    name: 'refused orders take every place of their lane that is free',
    by: 'refusing-receiver',
    of: 'atMost',
    edits: [['atMost: Math.max(1, kept)', 'atMost: most']],
  },
  {
    name: 'the shops behind one host share a lane',
    by: 'hanging-receivers',
    of: 'laneName',
    edits: [['  `$' + '{shopId} ', '  `all ']],
  },
  {
    name: 'a delivery that failed keeps its place',
    by: 'receiver-of-all-codes',
    of: ['atOnce', 'slowAtOnce', 'WebhookDelivery.#deliver'],
    edits: [
      // So few places are used up by what fails in seconds.
      ['const atOnce = 256', 'const atOnce = 8'],
      ['const slowAtOnce = 1_024', 'const slowAtOnce = 0'],
      ['if (leave()) this.#endedQuickly++', 'if (isDelivered && leave()) this.#endedQuickly++'],
    ],
  },
  {
    name: 'deliveries that hang keep their places',
    by: 'hanging-receivers',
    of: 'slowAtOnce',
    edits: [['const slowAtOnce = 1_024', 'const slowAtOnce = 0']],
  },
  {
    name: 'pushes of one payment service wait for those of another',
    by: 'hanging-service',
    of: 'PushProcessing.processDue',
    edits: [
      [
        'await Promise.all(due.map((adapter) => this.#of(adapter).processDue()))',
        'for (const one of due.sort()) {\n      await this.#of(one).processDue()\n      await this.#of(one).idle()\n    }',
      ],
    ],
  },
  {
    name: 'a command that waits for a lock keeps its group waiting',
    by: 'locked-row',
    of: 'lockTimeout',
    edits: [['const lockTimeout = 300', 'const lockTimeout = 4_000']],
  },
  {
    name: 'a command that is blocked takes its group with it',
    by: 'locked-row',
    of: 'tryGroup',
    edits: [
      [
        '    remove(group, one)\n    elsewhere.leave(one, error)\n    if (error instanceof HeldElsewhere) continue\n',
        '    if (error instanceof Blocked) throw error\n    remove(group, one)\n    elsewhere.leave(one, error)\n    if (error instanceof HeldElsewhere) continue\n',
      ],
    ],
  },
  {
    name: 'a store that can be read is ready, whatever becomes of writes',
    by: 'full-disk',
    of: 'StoreHealth.#ask',
    edits: [['    return store.check().then(', '    return Promise.resolve().then(']],
  },
  {
    name: 'a claim fails whole where the calls of one lane cannot be read',
    by: 'damaged-page',
    of: 'tryGroup',
    edits: [['one.damages! >= mostDamages', 'one.damages! > 0 * mostDamages']],
  },
  {
    name: 'a damaged page fails every command of the moment',
    by: 'damaged-page',
    of: 'tryGroup',
    edits: [['isUnavailable(error) && !damaged', 'isUnavailable(error) || damaged']],
  },
  {
    name: "the server's time is kept as a difference to the machine's clock",
    by: 'jumping-clock',
    of: 'SteadyClock.now',
    edits: [
      [
        'return Math.floor(this.#start + awake)',
        'return Math.floor(this.#start + Date.now() - performance.timeOrigin)',
      ],
    ],
  },
  {
    name: 'a payment is expired without a question to its service',
    by: 'jumping-clock',
    of: 'said',
    edits: [["started && (await askStatus(workings, started, 'check'))", 'undefined']],
  },
  {
    name: 'texts are sealed with a new secret that other nodes do not open',
    by: 'changed-secret',
    of: 'workingsOf',
    edits: [['  sealing.holdBack()\n', '']],
  },
]
