import { onTestFinished } from 'vitest'
import type { Workings } from '../../src/parts.ts'
import { Background } from '../../src/provider/background.ts'

/** Background work until the end of the test, also at once when there is some. */
export function runBackground(workings: Workings): Background {
  const background = new Background(workings)
  workings.wake = () => background.wake()
  background.start()
  onTestFinished(() => background.stop())
  return background
}
