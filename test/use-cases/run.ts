import { onTestFinished } from 'vitest'
import { Background } from '../../src/use-cases/background.ts'
import type { Workings } from '../../src/use-cases/parts.ts'

/** Background work until the end of the test, also at once when there is some. */
export function runBackground(workings: Workings): Background {
  const background = new Background(workings)
  workings.wake = () => background.wake()
  background.start()
  onTestFinished(() => background.stop())
  return background
}
