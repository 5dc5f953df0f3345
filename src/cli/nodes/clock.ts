import type { ClockState, StorePort } from '../../store.ts'
import { onStore } from '../kinds.ts'
import type { Command } from '../table.ts'
import { print, time } from '../terminal/print.ts'
import { EnvironmentProblem } from '../usage.ts'
import { clocksOff, fromProviders, nodeClocks, wasSet } from './clocks.ts'
import { nodesOn } from './nodes.ts'

/** How far the providers follow a changed clock per minute, in milliseconds. */
const step = 3_000

const afterThat = 'Correct the clock above first, then look again'

const show = onStore({
  description:
    'show this time, the clock of the database server (SQLite: of this machine), and nodes whose clock is off',
  examples: ['purveyor clock show'],
  async run({ json }, store) {
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
  },
})

function differenceOf(off: number): string[] {
  const hours = Math.abs(off) / step / 60
  return [
    `The clock is ${fromProviders(off)}, so it was changed. The providers follow it by ${step / 1_000} s a minute, in ${hours.toFixed(1)} h.`,
    `Meanwhile a payment of 60 minutes expires up to 3 minutes ${off > 0 ? 'early' : 'late'}.`,
    'If the clock is wrong, correct it. If it is right, run: purveyor clock take',
  ]
}

const take = onStore({
  description: 'use that clock from now on, once it is right',
  examples: ['purveyor clock take'],
  async run({ json }, store) {
    const before = await stateOf(store)
    const taken = await store.releaseClock!()
    const moved = Math.round((before.serverAt - before.agreedAt) / 1_000)
    print(json, { taken: time(taken), movedSeconds: moved }, () => [
      `The providers use ${time(taken)} within a minute, ${Math.abs(moved)} s ${moved < 0 ? 'earlier' : 'later'} than before.`,
      moved < 0
        ? 'Everything that was due is now due that much later.'
        : 'Payments that are past their expiry by this clock are checked now, and expire.',
    ])
  },
})

async function stateOf(store: StorePort): Promise<ClockState> {
  const state = await store.clockState?.()
  if (state) return state
  throw new EnvironmentProblem(
    'This store keeps no time of its own: its providers use the clock of their machine.',
  )
}

export const command: Command = {
  description: 'inspect the time that the providers of a store use, after a clock was set',
  commands: { show, take },
}
