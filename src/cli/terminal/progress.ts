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

export interface ProgressOptions {
  /** Where it is not drawn, a line is printed so often, in milliseconds. Default: never. */
  lineEvery?: number
  to?: Output
}

/** The line that a command keeps up to date at the foot of the terminal. There is one terminal. */
let current: StatusLine | undefined

/** Runs work that may take seconds, with a line on standard error that says how far it is. Only a terminal shows it, until the work ends. */
export async function withProgress<Result>(
  what: string,
  work: (steps: Steps) => Promise<Result> | Result,
  options: ProgressOptions = {},
): Promise<Result> {
  // Work within work: the outer line stays.
  if (current) return work({ at: () => {} })
  const line = new StatusLine(what, options)
  current = line
  try {
    return await work(line)
  } finally {
    line.end()
    current = undefined
  }
}

/** Runs work that talks to the person at the terminal, such as a question: no line is drawn meanwhile. */
export async function withoutProgress<Result>(work: () => Promise<Result>): Promise<Result> {
  const line = current
  line?.pause(true)
  try {
    return await work()
  } finally {
    line?.pause(false)
  }
}

/** Takes the line away before something else is printed. It comes back with the next step. */
export const clearProgress = (): void => current?.clear()

class StatusLine implements Steps {
  readonly #what: string
  readonly #to: Output
  readonly #lineEvery: number | undefined
  readonly #since = performance.now()
  readonly #timer: NodeJS.Timeout
  #drawnAt = Number.NEGATIVE_INFINITY
  #printedAt = this.#since
  #isShown = false
  #isPaused = false
  #counted = ''

  constructor(what: string, { lineEvery, to = process.stderr }: ProgressOptions) {
    this.#what = what
    this.#to = to
    this.#lineEvery = lineEvery
    this.#timer = setInterval(() => this.#show(), 1_000).unref()
  }

  at(done: number, of?: number, detail = ''): void {
    const count = of === undefined ? `${done}` : `${done} of ${of}`
    this.#counted = `: ${count}${detail === '' ? '' : `, ${detail}`}`
    this.#show()
  }

  clear(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#to.write(clearLine)
  }

  pause(isPaused: boolean): void {
    this.clear()
    this.#isPaused = isPaused
  }

  end(): void {
    clearInterval(this.#timer)
    this.clear()
  }

  #show(): void {
    if (this.#isPaused) return
    const now = performance.now()
    const width = process.env.TERM === 'dumb' ? undefined : widthOf(this.#to)
    if (width === undefined) {
      if (this.#lineEvery === undefined || now - this.#printedAt < this.#lineEvery) return
      this.#printedAt = now
      this.#to.write(`purveyor: ${printable(`${this.#what}${this.#counted}`)}\n`)
      return
    }
    if (now - this.#since < quietFor || now - this.#drawnAt < drawEvery) return
    this.#drawnAt = now
    this.#isShown = true
    const seconds = Math.floor((now - this.#since) / 1_000)
    const text = `${this.#what}${this.#counted}${seconds > 1 ? ` (${seconds} s)` : ''}`
    // At the start of the line: whatever else is printed covers it.
    this.#to.write(`${clearLine}${cutTo(width - 1, printable(text))}\r`)
  }
}
