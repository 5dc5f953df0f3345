import {
  type Call,
  healsWithin,
  isSlower,
  judge,
  type Measured,
  type NeighbourReport,
  withoutStalls,
} from './report.ts'
import { Witness } from './witness.ts'

/** How long a bad neighbour is watched. */
export interface NeighbourSize {
  /** How many shops there are beside the bad ones. */
  shops: number
  /** How often the neighbour turns bad, and for how many seconds each time. */
  turns: number
  seconds: number
  /** Calls of the other shops in a second. */
  perSecond: number
}

/** 200 shops: ten minutes of a bad neighbour in the long form, seconds in the short one. */
export const longForm: NeighbourSize = { shops: 200, turns: 10, seconds: 60, perSecond: 50 }
export const shortForm: NeighbourSize = { shops: 200, turns: 6, seconds: 1, perSecond: 40 }

/** A bad neighbour in a running provider, and the shops beside it. */
export interface Neighbour {
  name: string
  /** In milliseconds: an answer of `call` after this is late. */
  deadline: number
  /** Makes call number `number` of another shop. Resolves with whether it succeeded. */
  call(number: number): Promise<boolean>
  /** Makes a call of the bad neighbour beside each of the others, also while it is well: so both turns have the same load. */
  ownCall?(number: number): Promise<unknown>
  /** Turns bad, for the turn of this number. */
  begin(turn: number): unknown
  /** Resolves when the turn is over. Default: after the seconds of its size. */
  lasts?(turn: number): Promise<unknown>
  /** Ends the cause, not what it left behind. */
  end(): unknown
  /** Whether the bad neighbour itself works again. Asked every 250 ms. */
  isWell(): Promise<boolean>
}

/** In seconds: the first calls of each shop are its slowest. */
const warmUp = 5
/** In seconds: longer turns measure nothing better while the neighbour is well. */
const wellAtMost = 15
/** In milliseconds: how long calls of the bad neighbour may go on after its turn. */
const leftover = 5_000
const askEvery = 250

/** Measures in real time: the neighbour is well and bad in turns. A p99 that looks slower is measured in as many turns again. */
export async function watch(size: NeighbourSize, neighbour: Neighbour): Promise<NeighbourReport> {
  const witness = new Witness()
  try {
    return judge(withoutStalls(await measure(neighbour, size, witness), witness.stalls))
  } finally {
    witness.end()
  }
}

async function measure(neighbour: Neighbour, size: NeighbourSize, witness: Witness): Promise<Measured> {
  const well: Call[][] = []
  const bad: Call[][] = []
  const { turns, seconds } = size
  await callFor(neighbour, size, warmUp)
  for (let turn = 0; turn < turns || (turn < 2 * turns && isSlower({ well, bad })); turn++) {
    well.push(await callFor(neighbour, size, Math.min(seconds, wellAtMost)))
    await neighbour.begin(turn)
    bad.push(await (neighbour.lasts ? callBeside(neighbour, size, turn) : callFor(neighbour, size, seconds)))
    await neighbour.end()
    // Each failure is one violation, for any duration.
    if (witness.stalls.length === 0 && bad.flat().some(({ ok }) => !ok)) break
  }
  const { healing, healedAfter } = await heal(neighbour, size)
  return { name: neighbour.name, deadline: neighbour.deadline, well, bad, healing, healedAfter }
}

async function callFor(neighbour: Neighbour, size: NeighbourSize, seconds: number): Promise<Call[]> {
  const until = performance.now() + seconds * 1_000
  return call(neighbour, size, () => performance.now() < until)
}

async function callBeside(neighbour: Neighbour, size: NeighbourSize, turn: number): Promise<Call[]> {
  let goesOn = true
  const calling = call(neighbour, size, () => goesOn)
  try {
    await neighbour.lasts?.(turn)
  } finally {
    goesOn = false
  }
  return calling
}

async function heal(neighbour: Neighbour, size: NeighbourSize) {
  const ended = performance.now()
  let healedAfter: number | undefined
  let goesOn = true
  const calling = call({ ...neighbour, ownCall: async () => {} }, size, () => goesOn)
  while (healedAfter === undefined && performance.now() - ended < healsWithin * 1_000) {
    if (await neighbour.isWell().catch(() => false)) healedAfter = performance.now() - ended
    else await pause(askEvery)
  }
  goesOn = false
  return { healing: await calling, healedAfter }
}

/** Calls at a steady pace, however long an answer takes: a caller that waited for it would not see a stall. */
async function call(
  neighbour: Neighbour,
  { perSecond }: NeighbourSize,
  goesOn: () => boolean,
): Promise<Call[]> {
  const calls: Promise<Call>[] = []
  const own: Promise<unknown>[] = []
  const from = performance.now()
  while (goesOn()) {
    const number = calls.length
    const due = from + (number * 1_000) / perSecond
    const left = due - performance.now()
    if (left > 0) await pause(left)
    own.push(Promise.resolve(neighbour.ownCall?.(number)).catch(() => {}))
    calls.push(timed(neighbour.call(number), Math.max(due, from)))
  }
  const made = await Promise.all(calls)
  await Promise.race([Promise.all(own), pause(leftover)])
  return made
}

async function timed(answer: Promise<boolean>, due: number): Promise<Call> {
  const ok = await answer.catch(() => false)
  return { due, ok, ms: performance.now() - due }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
