import type { PostgresSearch } from './look-on-postgres.ts'
import { bugsBy } from './seed-bug.ts'

/** Bugs of the store on a server, by the search that must find them. */
export const postgresBugs = bugsBy<PostgresSearch>({
  commits: `
    a commit whose answer was lost is carried out again
      commitTogether: if (!lost || !(await wasCommitted(server, lost.id))) throw error ==> throw error
    a commit that was lost counts as done
      wasCommitted: return status === 'committed' ==> return true
  `,
  away: `
    a call waits for those before it while the server is away
      PostgresWriter.#broke: this.#queue.push({ ...one, running: new Running(one.command()) })
        ==> this.#queue.push({ ...one, running: new Running(one.command()), until: one.tries ? one.until :
        now + 2 * patience, tries: 1 })
    a call fails with those before it while the server is away
      PostgresWriter.#broke: if (one.until <= now) ==> if (one.until <= now + patience)
  `,
  removals: `
    a row is added for a shop that is removed
      guardRemovedShops: if found then return null; end if; ==>
    a payment starts in a shop that is removed
      expect: disabled === null ? removed ==> disabled === null ? false
  `,
  demoted: `
    a server that turns read-only is a fault of the call
      readOnly: readOnly = '25006' ==> readOnly = '25007'
  `,
  halves: `
    two transactions hold the same order
      takeHolds: for update skip locked ==>
  `,
  crowd: `
    two commands of one transaction hold the same order
      PostgresWriter.#nextGroup: holds.some((thing) => this.#held.has(thing)) ==> false
  `,
  batches: `
    a batch settles the calls of other orders
      endMany: ctid = any (array(select place ==> owner = any (array(select owner
      endMany: select ctid as place ==> select owner
    a batch settles a call that another process has taken over
      endMany: [...key, 'owner'].map((name, at) => ==> key.map((name, at) =>
      endMany: and version <= given.\${column(isOne.length)} ==> and version <= given.\${column(isOne.length + 1)}
    a claim takes calls that another process has
      dueLanesOf: order by next_due for update of lanes skip locked ==> order by next_due
      isFree: (leased_until is null or leased_until <= ==> (true or leased_until <=
  `,
  interleavings: `
    a movement is learned without holding its order
      learn: yield* holding(orderKey(shopId, orderId)) const before = yield* load.known(shopId, orderId)
        ==> yield* holding(); const before = yield* load.known(shopId, orderId)
    a refund is asked for without holding its order
      openMoneyRequest: yield* holding(orderKey(shopId, orderId)) const attempt
        ==> yield* holding(); const attempt
    a transaction forgets what it holds while it runs
      Running.took: if (thing !== undefined) ==> if (thing === '')
  `,
  circles: `
    lanes are locked in any order
      sharedSteps: one.shared! < other.shared! ? -1 : one.shared! > other.shared! ? 1 : 0
        ==> Math.random() - 0.5
  `,
  feed: `
    the feed is in the order of ids and not in that of commits
      placeChanges: placeChanges: write(function* (): Command<boolean> {
        ==> placeChanges: write(function* (): Command<boolean> { if (db) return false
      behind: select * from changes where place > ==> select changes.*, id as place from changes where id >
      behind: order by place limit ==> order by id limit
  `,
  administration: `
    the administration of shops is not held
      rotateEndpoint: yield* alone(administration) const newest = yield* first(endpoints.live
        ==> yield* alone(); const newest = yield* first(endpoints.live
  `,
  pages: `
    two nodes carry out the form of one page
      leasePage: ): Command<boolean> { yield* holding(pageHold(shopId, id))
        ==> ): Command<boolean> { yield* holding()
  `,
})
