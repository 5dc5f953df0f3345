import { printable } from '../../printable.ts'
import { cutTo, type Output, widthOf } from './tables.ts'

/** In milliseconds. A shorter wait needs no word. */
const quietFor = 1_000
const drawEvery = 100
const clearLine = '\r\u001b[K'

export interface Steps {
  /** So many are done, of so many if that is known. */
  at(done: number, of?: number, detail?: string): void
}

/** The line that a command keeps up to date at the foot of the terminal. There is one terminal. */
let current: ReturnType<typeof statusLine> | undefined

/** Runs work that may take seconds, with a line on standard error that says how far it is. Only a terminal shows it, until the work ends. */
export async function withProgress<Result>(
  what: string,
  work: (steps: Steps) => Promise<Result> | Result,
  to: Output = process.stderr,
): Promise<Result> {
  // Work within work: the outer line stays.
  if (current) return work({ at: () => {} })
  current = statusLine(what, to)
  try {
    return await work(current)
  } finally {
    current.end()
    current = undefined
  }
}

/** Runs work that talks to the person at the terminal, such as a question: no line is drawn meanwhile. */
export async function withoutProgress<Result>(work: () => Promise<Result>): Promise<Result> {
  current?.pause(true)
  return work().finally(() => current?.pause(false))
}

/** Takes the line away before something else is printed. It comes back with the next step. */
export const clearProgress = (): void => current?.clear()

function statusLine(what: string, to: Output) {
  const since = performance.now()
  const timer = setInterval(show, 1_000).unref()
  let drawnAt = Number.NEGATIVE_INFINITY
  let isShown = false
  let isPaused = false
  let counted = ''

  function show(): void {
    if (isPaused) return
    const now = performance.now()
    const width = process.env.TERM === 'dumb' ? undefined : widthOf(to)
    if (width === undefined || now - since < quietFor || now - drawnAt < drawEvery) return
    drawnAt = now
    isShown = true
    const seconds = Math.floor((now - since) / 1_000)
    const text = `${what}${counted}${seconds > 1 ? ` (${seconds} s)` : ''}`
    // At the start of the line: whatever else is printed covers it.
    to.write(`${clearLine}${cutTo(width - 1, printable(text))}\r`)
  }

  function clear(): void {
    if (isShown) to.write(clearLine)
    isShown = false
  }

  return {
    clear,
    at(done: number, of?: number, detail = ''): void {
      counted = `: ${done}${of === undefined ? '' : ` of ${of}`}${detail && `, ${detail}`}`
      show()
    },
    pause(isNow: boolean): void {
      clear()
      isPaused = isNow
    },
    end(): void {
      clearInterval(timer)
      clear()
    },
  }
}
