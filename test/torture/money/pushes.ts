import type { AnyPaymentAdapter } from '../../../src/any-adapter.ts'
import type { PushedReport } from '../../../src/payments/adapter-context.ts'
import { processPushes } from '../../background.ts'
import { day, hour, paid, paymentsWith } from '../../helpers/provider.ts'
import { push as take } from '../../helpers/push.ts'
import type { Found } from '../found.ts'

const canary = 'Iban-of-a-customer'
const report = { ...paid, event: 'tr_1-1' }

/** A provider whose payment service pushes JSON: what it says, or only whom to ask. */
function withPushes(adapter: Partial<AnyPaymentAdapter>) {
  const setup = paymentsWith({
    push: { verify: () => true, read: ({ body }) => JSON.parse(body.toString()) as PushedReport },
    ...adapter,
  })
  const { workings, stored } = setup
  const push = (said: object) => take(workings, JSON.stringify({ ...said, canary }))
  const chargedBack = async () => {
    const facts = (await stored()).attempts.flatMap((attempt) => attempt.facts)
    return facts.some(({ kind }) => kind === 'charged_back')
  }
  return { ...setup, push, chargedBack, process: () => processPushes(workings) }
}

/** Pushes before their start has its answer, again after days, and what is on disk of them. */
export async function tryPushes(): Promise<Found> {
  const attempts = [isOnDiskFirst, comesFirst, comesWhileItIsParked, comesAgain, isSealed]
  const found = await Promise.all(
    attempts.map((attempt) => attempt().catch((error: unknown) => [`${attempt.name} broke: ${error}`])),
  )
  return { tries: attempts.length, violations: found.flat() }
}

/** A start whose answer is held back. */
function heldStart() {
  const answer = Promise.withResolvers<void>()
  const start = () => answer.promise.then(() => ({ later: true as const, reference: 'tr_1' }))
  return { start, answer: answer.resolve }
}

async function comesFirst(): Promise<string[]> {
  const held = heldStart()
  const { start, push, process, stored } = withPushes(held)
  const starting = start()
  await push({ reference: 'tr_1', report })
  await process()
  held.answer()
  await starting
  await process()
  return (await stored()).status === 'paid' ? [] : ['a push that came before its start is not read again']
}

/** The start stores its reference after the push was read, and before the push waits for it. */
async function comesWhileItIsParked(): Promise<string[]> {
  const held = heldStart()
  const { start, push, process, stored, workings } = withPushes(held)
  const starting = start()
  const { parkPush } = workings.store
  workings.store.parkPush = async (...call) => {
    held.answer()
    await starting
    await parkPush(...call)
  }
  await push({ reference: 'tr_1', report })
  await process()
  await process()
  return (await stored()).status === 'paid'
    ? []
    : ['a push whose reference came while it was put aside is not read again']
}

/** An id-only push has the same body whatever happened: on day 10 it is about a chargeback. */
async function comesAgain(): Promise<string[]> {
  const service = { works: true, reports: [report] as object[] }
  const { start, push, process, move, chargedBack } = withPushes({
    push: { confirm: 'status', read: ({ body }) => JSON.parse(body.toString()) as PushedReport },
    status: () => {
      if (!service.works) throw new Error('away')
      return service.reports as never
    },
  })
  const violations: string[] = []
  await start()
  await push({ reference: 'tr_1' })
  await process()
  service.works = false
  await move(10 * day)
  await push({ reference: 'tr_1' })
  for (let hours = 0; hours < 100; hours++) {
    await process()
    await move(hour)
  }
  service.works = true
  service.reports.push({ ...paid, status: 'charged_back', event: 'cb_1' })
  await push({ reference: 'tr_1' })
  await process()
  if (!(await chargedBack())) violations.push('the same body after it was given up is not read again')
  return violations
}

async function isOnDiskFirst(): Promise<string[]> {
  const { push, start, workings } = withPushes({})
  const violations: string[] = []
  for (const [what, write, call] of [
    ['a push', 'keepPush', () => push({ reference: 'tr_1', report })],
    ['a start', 'noteStart', start],
  ] as const) {
    const disk = Promise.withResolvers<void>()
    const writeNow = workings.store[write] as (...call: unknown[]) => Promise<never>
    workings.store[write] = async (...call: unknown[]) => {
      await disk.promise
      return writeNow(...call)
    }
    let isAnswered = false
    const answering = call().then(() => (isAnswered = true))
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (isAnswered) violations.push(`${what} is answered before it is on disk`)
    disk.resolve()
    await answering
  }
  return violations
}

/** What waits is sealed for its row, and erased once it is settled. Adapters get their data back. */
async function isSealed(): Promise<string[]> {
  const seen: unknown[] = []
  const { start, push, process, workings, stored, status } = withPushes({
    start: () => ({ later: true, reference: 'tr_1', data: { canary } }),
    status: ({ data }: { data?: unknown }) => {
      seen.push(data)
      return { status: 'open' }
    },
  })
  const { store, contents, world } = workings
  const claim = { adapter: 'psp', limit: 10, perLane: 4, owner: 'a' }
  const waitingOnes = () => store.claimPushes({ ...claim, now: world.now(), leaseUntil: world.now() })
  const violations: string[] = []
  await push({ reference: 'tr_1', report: { status: 'open' } })
  const [waiting] = await waitingOnes()
  await start()
  const { started } = (await stored()).attempts[0]!
  for (const [what, sealed] of [
    ['a push', waiting?.sealed],
    ['the data of an attempt', started?.sealedData],
  ] as const) {
    if (sealed === undefined) violations.push(`${what} is not on disk`)
    else if (sealed.includes(canary) || opens(() => JSON.parse(sealed)))
      violations.push(`${what} stands in the clear`)
    else if (opens(() => contents.open(sealed, 'push default.psp.other')))
      violations.push(`${what} opens in another row`)
  }
  await process()
  await status()
  if (JSON.stringify(seen.at(-1)) !== JSON.stringify({ canary }))
    violations.push('status() does not get the data of its attempt')
  const left = await waitingOnes()
  if (left.length > 0) violations.push('a push that was processed is not erased')
  return violations
}

function opens(open: () => unknown): boolean {
  try {
    return open() !== undefined
  } catch {
    return false
  }
}
