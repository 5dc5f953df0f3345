import { thisMachine } from '../../observability/this-machine.ts'
import type { ClockState } from '../../store.ts'
import type { NodeView } from '../../use-cases/list-nodes.ts'
import { clocksOff, fromProviders, nodeClocks, wasSet } from '../nodes/clocks.ts'
import { type Found, ok, warn } from './check.ts'

/** So far apart the clock of this machine and the providers' time may be, in milliseconds. */
const mostOff = 5_000

/** The remedy for the clock of this machine. */
export const turnOnNtp = 'Turn on NTP: callbacks older than 300 s are refused'

/**
 * Compares the providers' time with the clock that they follow, with those of the running nodes, and with this machine's. `wall` is the
 * latter, in milliseconds since 1970.
 */
export function clocksFound(state: ClockState, nodes: readonly NodeView[], wall: number): Found {
  const besides = clocksOff(nodes, state, { besides: true })
  if (wasSet(state)) {
    const says = `A clock was set: it is ${fromProviders(state.serverAt - state.agreedAt)}`
    return warn(
      [says, ...(besides ? [besides.says] : [])].join('. '),
      'Run purveyor clock show. Nothing expires at once',
    )
  }
  const here = wall - state.agreedAt
  const isNamed = besides?.hosts.includes(thisMachine.host)
  const found = [
    ...(besides ? [besides] : []),
    ...(Math.abs(here) > mostOff && !isNamed
      ? [{ says: `The clock of this machine is ${fromProviders(here)}`, remedy: turnOnNtp }]
      : []),
  ]
  if (found.length > 0)
    return warn(found.map(({ says }) => says).join('. '), found.map(({ remedy }) => remedy).join('. '))
  const others = new Set(nodeClocks(nodes).map(({ host }) => host))
  others.delete(thisMachine.host)
  return ok(
    others.size === 0
      ? 'The clock of this machine is that of the providers'
      : `The clocks of this machine and of ${others.size} more are that of the providers`,
  )
}
