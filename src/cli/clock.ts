import type { ClockState, StorePort } from '../store.ts'
import { print, time } from './print.ts'
import { withStore } from './store.ts'
import { EnvironmentProblem } from './usage.ts'

/** The providers follow differences below this at once, in milliseconds. */
const none = 5_000
/** How far the providers follow a changed clock per minute, in milliseconds. */
const step = 3_000

interface Options {
  json?: boolean
}

/** Shows the time that the providers of the store use, beside the clock that they compare it with. */
export function show({ json }: Options): Promise<void> {
  return withStore(async (store) => {
    const state = await stateOf(store)
    const off = state.serverAt - state.agreedAt
    const isOff = Math.abs(off) > none
    const [agreed, clock] = [time(state.agreedAt), time(state.serverAt)]
    print(json, { agreed, clock, offSeconds: Math.round(off / 1_000) }, () => [
      `Providers use       ${agreed}`,
      `The clock shows     ${clock}`,
      '',
      ...(isOff ? differenceOf(off) : ['Both agree.']),
    ])
  })
}

function differenceOf(off: number): string[] {
  const [seconds, hours] = [Math.abs(off) / 1_000, Math.abs(off) / step / 60]
  const ahead = off > 0 ? 'ahead of' : 'behind'
  return [
    `The clock is ${Math.round(seconds)} s ${ahead} the providers' time, so it was changed. The providers follow it by ${step / 1_000} s a minute, in ${hours.toFixed(1)} h.`,
    `Meanwhile a payment of 60 minutes expires up to 3 minutes ${off > 0 ? 'early' : 'late'}.`,
    'If the clock is wrong, correct it. If it is right, run: purveyor clock take',
  ]
}

/** Makes the providers use the clock's time. Running ones do within a minute. */
export function take({ json }: Options): Promise<void> {
  return withStore(async (store) => {
    const before = await stateOf(store)
    const taken = await store.releaseClock!()
    const moved = Math.round((before.serverAt - before.agreedAt) / 1_000)
    print(json, { taken: time(taken), movedSeconds: moved }, () => [
      `The providers use ${time(taken)} within a minute, ${Math.abs(moved)} s ${moved < 0 ? 'earlier' : 'later'} than before.`,
      moved < 0
        ? 'Everything that was due is now due that much later.'
        : 'Payments that are past their expiry by this clock are checked now, and expire.',
    ])
  })
}

async function stateOf(store: StorePort): Promise<ClockState> {
  const state = await store.clockState?.()
  if (state) return state
  throw new EnvironmentProblem(
    'This store keeps no time of its own: its providers use the clock of their machine.',
  )
}
