import type { ClockState, StorePort } from '../../store.ts'
import { withStore } from '../store.ts'
import { print, time } from '../terminal/print.ts'
import { EnvironmentProblem } from '../usage.ts'
import { clocksOff, fromProviders, nodeClocks, wasSet } from './clocks.ts'
import { nodesOn } from './nodes.ts'

/** How far the providers follow a changed clock per minute, in milliseconds. */
const step = 3_000

const afterThat = 'Correct the clock above first, then look again'

interface Options {
  json?: boolean
}

/** Shows the time that the providers of the store use, beside the clock that they compare it with, and the nodes whose clocks are off. */
export function show({ json }: Options): Promise<void> {
  return withStore(async (store) => {
    const state = await stateOf(store)
    const off = state.serverAt - state.agreedAt
    const nodes = await nodesOn(store)
    const besides = clocksOff(nodes, state, { besides: true })
    const [agreed, clock] = [time(state.agreedAt), time(state.serverAt)]
    const shown = { agreed, clock, offSeconds: Math.round(off / 1_000), nodes: nodeClocks(nodes) }
    print(json, shown, () => [
      `Providers use       ${agreed}`,
      `The clock shows     ${clock}`,
      '',
      ...(wasSet(state) ? differenceOf(off) : ['Both agree.']),
      ...(besides ? ['', `${besides.says}. ${wasSet(state) ? afterThat : besides.remedy}.`] : []),
    ])
  })
}

function differenceOf(off: number): string[] {
  const hours = Math.abs(off) / step / 60
  return [
    `The clock is ${fromProviders(off)}, so it was changed. The providers follow it by ${step / 1_000} s a minute, in ${hours.toFixed(1)} h.`,
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
