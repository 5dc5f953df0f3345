import type { PostgresSearch } from './look-on-postgres.ts'
import type { SeededBug } from './seeded-bugs.ts'

/** A bug of the store on a server, and the search that must find it. */
export type PostgresBug = SeededBug & { by: PostgresSearch }

export const postgresBugs: readonly PostgresBug[] = [
  {
    name: 'a commit whose answer was lost is carried out again',
    by: 'commits',
    of: 'commitGroup',
    edits: [
      ["return (await wasCommitted(server, error.transaction)) ? 'committed' : 'again'", "return 'again'"],
    ],
  },
  {
    name: 'a commit that was lost counts as done',
    by: 'commits',
    of: 'wasCommitted',
    edits: [["return status === 'committed'", 'return true']],
  },
  {
    name: 'a call waits for those before it while the server is away',
    by: 'away',
    of: 'commitGroup',
    edits: [['Math.max(until, performance.now() + shortestTry)', 'until && performance.now() + patience']],
  },
  {
    name: 'a call fails with those before it while the server is away',
    by: 'away',
    of: 'rejectOver',
    edits: [
      ['if (one.until <= now) one.reject(error)', 'if (one.until <= now + patience) one.reject(error)'],
    ],
  },
  {
    name: 'a row is added for a shop that is removed',
    by: 'removals',
    of: 'guardRemovedShops',
    edits: [['      if found then return null; end if;\n', '']],
  },
  {
    name: 'a payment starts in a shop that is removed',
    by: 'removals',
    of: 'expect',
    edits: [['serves && disabled) throw', 'false) throw']],
  },
  {
    name: 'a server that turns read-only is a fault of the call',
    by: 'demoted',
    of: 'readOnly',
    edits: [["readOnly = '25006'", "readOnly = '25007'"]],
  },
  {
    name: 'two transactions hold the same order',
    by: 'races',
    of: 'takeHolds',
    edits: [['for update skip locked', '']],
  },
  {
    name: 'two commands of one transaction hold the same order',
    by: 'crowd',
    of: 'taken',
    edits: [['(this.#held.get(thing) ?? one) !== one', 'this.#held.has(thing) && false']],
  },
  {
    name: 'a batch settles the calls of other orders',
    by: 'batches',
    of: 'manyOnServer',
    edits: [
      [
        'where ctid = any (array(select place from free))\n        and (shop_id, order_id) in (select shop_id, order_id from free)',
        'where owner in (select owner from free)',
      ],
    ],
  },
  {
    name: 'a batch settles a call that another process has taken over',
    by: 'batches',
    of: 'manyOnServer',
    edits: [['and webhooks.owner = of_call.owner and webhooks.version', 'and webhooks.version']],
  },
  {
    name: 'a claim takes calls that another process has',
    by: 'batches',
    of: ['lockLanes', 'lease'],
    edits: [
      ['lockFree(ofLanes)', 'sql``'],
      ['and (leased_until is null or leased_until <= ', 'and (true or leased_until <= '],
    ],
  },
  {
    name: 'a movement is learned without holding its order',
    by: 'interleavings',
    of: 'learn',
    edits: [
      [
        'yield* holding(orderKey(shopId, orderId))\n      const before = yield* load.known(shopId, orderId)',
        'yield* holding()\n      const before = yield* load.known(shopId, orderId)',
      ],
    ],
  },
  {
    name: 'a refund is asked for without holding its order',
    by: 'interleavings',
    of: 'openMoneyRequest',
    edits: [
      [
        'yield* holding(orderKey(shopId, orderId))\n      const attempt',
        'yield* holding()\n      const attempt',
      ],
    ],
  },
  {
    name: 'a transaction forgets what it holds while it runs',
    by: 'interleavings',
    of: 'RunningCommands.took',
    edits: [['if (elsewhere !== undefined) this.#end', 'if (elsewhere === "") this.#end']],
  },
  {
    name: 'lanes are locked in any order',
    by: 'circles',
    of: 'sharedSteps',
    edits: [
      ['one.shared! < other.shared! ? -1 : one.shared! > other.shared! ? 1 : 0', 'Math.random() - 0.5'],
    ],
  },
  {
    name: 'the feed is in the order of ids and not in that of commits',
    by: 'feed',
    of: ['placeChanges', 'behind'],
    edits: [
      [
        '      placeChanges: write(function* (): Command<boolean> {\n',
        '      placeChanges: write(function* (): Command<boolean> {\n        if (db) return false\n',
      ],
      ['select * from changes where place >', 'select changes.*, id as place from changes where id >'],
      ['order by place limit', 'order by id limit'],
    ],
  },
  {
    name: 'the administration of shops is not held',
    by: 'administration',
    of: 'rotateEndpoint',
    edits: [
      [
        'yield* alone(administration)\n      const newest = yield* first(endpoints.live',
        'yield* alone()\n      const newest = yield* first(endpoints.live',
      ],
    ],
  },
  {
    name: 'two nodes carry out the form of one page',
    by: 'pages',
    of: 'leasePage',
    edits: [
      [
        '    ): Command<boolean> {\n      yield* holding(pageHold(shopId, id))',
        '    ): Command<boolean> {\n      yield* holding()',
      ],
    ],
  },
]
