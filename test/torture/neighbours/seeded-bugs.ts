import { bugsBy } from '../seed-bug.ts'
import type { NeighbourKind } from './all.ts'

/** Bugs that let a bad neighbour harm others, by the run of that neighbour which must find them. */
export const neighbourBugs = bugsBy<NeighbourKind>({
  'silent-name-server': `
    names are looked up in the threads of the process
      Names.#resolver: this.#servers.find(name, wait)
        ==> askBothFamilies(async (host, family) => { return (await (await
        import('node:dns/promises')).lookup(host, { all: true, family })).map(({ address }) => ({ address,
        ttl: 5 })) }, name, wait)
    the lookups of all shops wait in one lane
      turns: this.#turnsOf(asker) ==> this.#turnsOf(asker && '')
    a name server that is silent is asked again for each call
      NAME_SERVER_FAILED: NAME_SERVER_FAILED: 20_000 ==> NAME_SERVER_FAILED: 0
  `,
  'large-name-answers': `
    large answers of name servers are read where calls are answered
      Names.#resolver: this.#servers.find(name, wait)
        ==> askBothFamilies(async (host, family) => { const resolver = new (await
        import('node:dns/promises')).Resolver(); resolver.setServers(this.#options.nameServers ?? []);
        return resolver[\`resolve\${family}\`](host, { ttl: true }) }, name, wait)
  `,
  'hanging-carrier': `
    a carrier that is down costs every shop its patience
      SharedBreaker.failed: if (failures < failuresInARow) return false ==> if (failures > 0) return false
    one shop whose key has expired opens the breaker for all
      mostOfOneShop: const mostOfOneShop = 2 ==> const mostOfOneShop = 5
  `,
  'database-away': `
    rates end with the database
      known: goesOn ? this.#shops.get(tokenHash) : undefined ==> (goesOn, undefined as Known | undefined)
    a shop that the store has shut is open while the store is away
      KnownShops.#look: else this.#shops.delete(tokenHash) ==>
  `,
  'rolling-restarts': `
    the port closes before a balancer has seen the stop
      Lifecycle.#stop: announceEnd(server, delay ?? configuration.stopDelay)
        ==> announceEnd(server, 0 * configuration.stopDelay)
    readiness says nothing of a stop
      Lifecycle.#stop: state.stopping = !replaced ==> state.stopping = replaced && false
  `,
  'refusing-receiver': `
    orders that a shop refuses close its lane
      isAboutOrder: status !== undefined && status >= 400 && status < 500
        ==> status !== undefined && status < 0
    a success makes orders due that were refused themselves
      settleWebhooks: yield { steps: [...groups.map(addCalls)
        ==> const allDue = db.text\`update webhooks set due_at = \${value('now')}
        where lane = \${value('lane')} and owner is null and due_at is not null\`; yield { steps: [
        ...batch.map(({ owed, call }) => allDue({ lane: owed.lane, now: call.at + call.ms })), ...groups.map(addCalls)
    refused orders go before fresh ones
      refusedLast: then 1 else 0 ==> then 0 else 1
    refused orders take every place of their lane that is free
      atMost: atMost: Math.max(1, kept) ==> atMost: most
  `,
  'hanging-receivers': `
    the shops behind one host share a lane
      webhookLane: lane: \`\${shopId} ==> lane: \`all
    deliveries that hang keep their places
      slow: const slow = { after: 2_000, atOnce: 1_024 } ==> const slow = { after: 2_000, atOnce: 0 }
  `,
  'receiver-of-all-codes': `
    a delivery that failed keeps its place, of which there are few
      atOnce: const atOnce = 256 ==> const atOnce = 8
      slow: const slow = { after: 2_000, atOnce: 1_024 } ==> const slow = { after: 2_000, atOnce: 0 }
      WebhookDelivery.#deliver: else await noteFailure(this.#workings, owed, called)
        ==> else { await noteFailure(this.#workings, owed, called); await new Promise(() => {}) }
  `,
  'hanging-service': `
    pushes of one payment service wait for those of another
      PushProcessing.processDue: await Promise.all(due.map((adapter) => this.#poolOf(adapter).wake()))
        ==> for (const one of due.sort()) { await this.#poolOf(one).wake(); await this.#poolOf(one).idle() }
  `,
  'locked-row': `
    a command that waits for a lock keeps its group waiting
      lockTimeout: const lockTimeout = 300 ==> const lockTimeout = 4_000
    a command that is blocked takes its group with it
      PostgresWriter.#broke: if (error instanceof Blocked) this.#note(group, error)
        ==> if (error instanceof Blocked) { for (const one of group) this.#refuse(one, error); return }
  `,
  'full-disk': `
    a store that can be read is ready, whatever becomes of writes
      StoreHealth.#ask: return store.check().then( ==> return Promise.resolve().then(
  `,
  'damaged-page': `
    a claim fails whole where the calls of one lane cannot be read
      tryGroup: one.damages >= mostDamages ==> one.damages > 0 * mostDamages
    a damaged page fails every command of the moment
      tryGroup: isUnavailable(error) && !damaged ==> isUnavailable(error) || damaged
  `,
  'jumping-clock': `
    the server's time is kept as a difference to the machine's clock
      SteadyClock.now: return Math.floor(this.#start + awake)
        ==> return Math.floor(this.#start + Date.now() - performance.timeOrigin)
    a payment is expired without a question to its service
      said: started && (await askStatus(workings, started, 'check')) ==> undefined
  `,
  'changed-secret': `
    texts are sealed with a new secret that other nodes do not open
      workingsOf: sealing.holdBack() ==>
  `,
})
