import { checkoutMessage } from '../../messages/exact.ts'
import { codeOf, versionsOf } from '../../observability/list-nodes.ts'
import type { ExplainedMethods } from '../../payments/list-payment-methods.ts'
import { serviceOutages } from '../../payments/service-failures.ts'
import { capitalised, counted } from '../../printable.ts'
import type { AdapterExplanation } from '../../rates/explanation.ts'
import { type LaneView, listLanes } from '../../webhooks/lanes.ts'
import { placeOfFault } from '../rates/explain.ts'
import { nodesOn, silentOf, standstillOf } from '../serve/nodes.ts'
import { time } from '../terminal/print.ts'
import { failureOf, laneWords, minute } from '../webhooks/lane-words.ts'
import { type Checks, fail, inStore, type Look, ofShop, ok, serving, warn } from './check.ts'

const day = 24 * 60 * minute
const mostLanes = 1_000

/** An adapter that takes longer keeps quotes waiting, in milliseconds. */
const slow = 1_000

const patience = 10_000

/** A check that looks for lanes with a trouble, and names the first one with why it fails. */
function ofLanes(kinds: readonly LaneView['kind'][], none: string, ...more: string[]): Look {
  const list = `purveyor lanes list${kinds.length > 1 ? '' : ` --kind ${kinds[0]}`}`
  return inStore(async (store, now) => {
    const found = await Promise.all(kinds.map((kind) => listLanes(store, { kind, now, limit: mostLanes })))
    const [first, ...others] = found.flat().filter(({ state, refused }) => state !== 'open' || refused > 0)
    if (!first) return ok(none)
    const further = others.length === 0 ? '' : `, and ${counted(others.length, 'other lane')}`
    const why = failureOf(first) ?? 'for an unknown reason'
    const says = `${laneWords(first)}: ${first.state} since ${time(first.since ?? now)}, ${why}${further}`
    return warn(capitalised(says), [list, ...more].join(', and '))
  })
}

export const onCallChecks: Checks = {
  nodes: inStore(async (store) => {
    const nodes = await nodesOn(store)
    const silent = silentOf(nodes)
    const running = nodes.filter(({ runs }) => runs)
    if (nodes.every(({ died }) => died)) {
      // Before its first start a provider has left neither a node nor a payment.
      const hasRun = nodes.length > 0 || (await store.webhooks({ since: 0, limit: 1 })).length > 0
      const says = standstillOf(nodes)!.replace(/\.$/, '')
      return (hasRun ? fail : warn)(says, 'Start the provider, such as with purveyor serve')
    }
    if (running.length === 0)
      return fail(
        standstillOf(nodes)!,
        `Ask /health/ready of the provider, and look at its log and at the disk. ${silent!.remedy}`,
      )
    const versions = versionsOf(running).join(', ')
    const found = silent ? [silent.says] : []
    const remedies = silent ? [`${silent.remedy}; purveyor nodes list shows all`] : []
    if (versions.includes(', ')) {
      found.push(`Nodes run different versions: ${versions}`)
      remedies.push('Finish the upgrade; purveyor nodes list shows which node runs which')
    }
    if (found.length > 0) return warn(found.join('. '), remedies.join('. '))
    const workers = running.reduce((sum, one) => sum + one.workers, 0)
    const run = `${counted(running.length, 'node')} with ${counted(workers, 'worker')}`
    return ok(`${run}: version ${codeOf(running[0]!)}`)
  }),
  lanes: ofLanes(
    ['webhook', 'push'],
    'All lanes of webhooks and pushes are open, and no shop refuses single webhooks',
  ),
  carriers: serving('rates', ofLanes(['rates'], 'No rate adapter is slow or skipped after failures')),
  'rate adapters': serving(
    'rates',
    ofShop(async ({ id: shop }, { inspection }) => {
      // In this process, as `rates explain` does: what the nodes leave alone, or have cached, is asked. The deadline is a longer one, so that a
      // slow answer is no failure.
      const { adapters, deadline } = await inspection.askRates(checkoutMessage(), { shop, patience })
      const slowestFirst = adapters.toSorted((one, other) => other.ms - one.ms)
      const says = slowestFirst.map((one) => answerOf(one, deadline)).join('; ')
      const [slowest] = slowestFirst
      const failed = slowestFirst.find(({ result }) => result === 'failed')
      const fault = failed && placeOfFault(failed)
      const replaced = slowestFirst.flatMap((one) => one.replaced?.[0]?.adapter ?? one.failed?.[0] ?? [])[0]
      const explain = `purveyor rates explain --shop ${shop}`
      if (replaced !== undefined)
        return warn(says, `Look at ${replaced}: ${explain} shows its calls and the reason`)
      if (fault) return warn(says, `Correct ${fault}: ${explain} shows the line and the error`)
      if (failed)
        return warn(says, `Look at the service behind ${failed.adapter}; purveyor lanes list --kind rates`)
      if (!slowest || slowest.ms <= slow) return ok(says)
      const service = `Look at the service behind ${slowest.adapter}`
      return slowest.ms > deadline
        ? warn(says, `${service}, or set a longer rates.deadline: shops get none of its methods`)
        : warn(says, `${service}: every quote waits for it`)
    }),
  ),
  'payment adapters': serving(
    'payments',
    ofShop(async ({ id: shop }, { inspection }) => {
      const adapters = await inspection.askMethods(checkoutMessage(undefined), { shop })
      const says = adapters.map(methodsOf).join('; ')
      const explain = `purveyor payments explain --shop ${shop}`
      if (adapters.every(({ methods }) => methods.length === 0))
        return fail(says, `Nothing can be paid: ${explain}`)
      const isFull = adapters.every(({ result, leftOut }) => result !== 'failed' && leftOut.length === 0)
      return isFull ? ok(says) : warn(says, explain)
    }),
  ),
  pushes: serving(
    'payments',
    inStore(async (store, now) => {
      const waiting = (await store.countWaiting(now)).find(({ kind }) => kind === 'push')
      const late = (now - (waiting?.dueSince ?? now)) / minute
      if (late > 1)
        return fail(
          `${counted(waiting!.open, 'push waits', 'pushes wait')}, the first late by ${Math.round(late)} min`,
          'Does the provider run? See purveyor lanes list --kind push',
        )
      const { unmatched = 0, given_up = 0, failed = 0 } = await store.countPushTroubles(now - day)
      const found = Object.entries({ unmatched, given_up, failed }).filter(([, count]) => count > 0)
      if (found.length === 0) return ok('Every push of the last day was processed')
      const says = `Of the last day: ${unmatched} unmatched, ${given_up} given up, ${failed} failed and tried again`
      return warn(says, found.map(([outcome]) => `purveyor pushes list --outcome ${outcome}`).join(', '))
    }),
  ),
  'due webhooks': inStore(async (store, now) => {
    const { owed } = await store.countWebhooks()
    if (owed === 0) return ok('No webhook is due')
    const late = (now - ((await store.nextWebhookDue()) ?? now)) / minute
    const says = `${owed} waiting, ${late > 1 ? `the next one late by ${Math.round(late)} min` : 'none of them late'}`
    return late > 15 ? fail(says, 'Does the provider run? See purveyor webhooks list') : ok(says)
  }),
  'dead letters': inStore(async (store) => {
    const { dead } = await store.countWebhooks()
    if (dead === 0) return ok('No webhook was given up')
    const remedy = 'purveyor webhooks list, then purveyor webhooks replay'
    return fail(`Given up: ${counted(dead, 'webhook')}`, remedy)
  }),
  anomalies: inStore(async (store) => {
    const open = await store.anomalies({ limit: 100 })
    if (open.length === 0) return ok('There are no open anomalies')
    const oldest = Math.min(...open.map(({ openedAt }) => openedAt))
    return warn(`${open.length} to review, the oldest since ${time(oldest)}`, 'purveyor payments anomalies')
  }),
  'unread webhooks': inStore(async (store) => {
    const [first, ...others] = await store.unread({ limit: mostLanes })
    if (!first) return ok('No accepted webhook is unread for over 15 minutes')
    const { shopId, orders, orderId, acceptedAt } = first
    const more = others.length === 0 ? '' : `, and so did ${counted(others.length, 'other shop')}`
    return warn(
      `Shop ${shopId} accepted ${counted(orders, 'webhook')} since ${time(acceptedAt)} and did not read the status${more}`,
      `Ask the shop whether its platform handles webhooks: purveyor webhooks show ${orderId} --shop ${shopId}`,
    )
  }),
  'failing starts': serving(
    'payments',
    ofLanes(['starts'], 'No payment service is known to fail', 'purveyor explain PAYMENT_START_TIMEOUT'),
  ),
  'refused pushes': serving(
    'payments',
    inStore(async (store, now) => {
      const outages = await serviceOutages(store, { kind: 'push', since: now - day, now })
      const last = outages.filter(({ shops }) => shops.some(({ okAt = 0, lastAt }) => okAt < lastAt))
      if (last.length === 0) return ok("No shop's last push of the day was refused")
      const says = last.map(
        ({ adapter, shops, calls, firstAt, lastAt, failure }) =>
          `${counted(calls, 'refused call')} of ${adapter} for ${counted(shops.length, 'shop')}, the first ${time(firstAt)}, the last ${time(lastAt)} (${failure})`,
      )
      return warn(says.join('; '), 'purveyor pushes refused, and purveyor explain PUSH_NOT_VERIFIED')
    }),
  ),
}

function answerOf(one: AdapterExplanation, deadline: number): string {
  const { adapter, ms, result, reason, notes, failed = [], replaced = [] } = one
  const why = [reason, ...notes.slice(0, 3)].join('; ')
  return [
    result === 'failed'
      ? `${adapter} failed after ${Math.round(ms)} ms (${reason})`
      : `${adapter} answers in ${Math.round(ms)} ms${ms > deadline ? `, after the deadline of ${deadline} ms` : ''}`,
    ...(result === 'none' ? [`no methods (${why})`] : []),
    ...replaced.map((of) => `${of.adapter} failed (${of.reason}) and its fallback ${of.fallback} answered`),
    ...failed.filter((inner) => inner !== adapter).map((inner) => `${inner} failed`),
  ].join(', ')
}

const methodsOf = ({ adapter, result, reason, methods, leftOut }: ExplainedMethods): string =>
  [
    `${adapter} ${result === 'failed' ? 'failed' : `offers ${counted(methods.length, 'method')}`}`,
    ...(reason === undefined ? [] : [reason]),
    ...leftOut.map(({ method, fault }) => `method ${method} is left out: ${fault}`),
  ].join(', ')
