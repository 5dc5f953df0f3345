import { movableClock } from 'purveyor/testing'

/** A clock that stands still until it is moved, so that no wait is over because the machine is busy. */
export function stillClock(): ReturnType<typeof movableClock> {
  const clock = movableClock()
  const from = clock.now()
  const before = clock.offset
  clock.now = () => from + clock.offset - before
  return clock
}
