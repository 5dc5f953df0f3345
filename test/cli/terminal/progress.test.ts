import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  clearProgress,
  type Steps,
  withoutProgress,
  withProgress,
} from '../../../src/cli/terminal/progress.ts'
import type { Output } from '../../../src/cli/terminal/tables.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An output that keeps what is written to it. */
function kept(more: Partial<Output>) {
  const written: string[] = []
  const to = { ...more, write: (text: string) => written.push(text) > 0 } as unknown as Output
  return { to, written }
}

const clear = '\r\u001b[K'

/** What a terminal of 30 columns is shown during some work. */
async function shownOf(what: string, work: (steps: Steps) => unknown): Promise<string[]> {
  const { to, written } = kept({ isTTY: true, columns: 30 })
  await withProgress(what, work, to)
  return written
}

test('a short wait says nothing', async () => {
  const { to, written } = kept({ isTTY: true, columns: 30 })
  const work = (steps: Steps) => {
    steps.at(1, 3)
    vi.advanceTimersByTime(900)
    steps.at(2, 3)
    return 'done'
  }
  expect([await withProgress('Checking', work, to), written]).toEqual(['done', []])
})

test('a longer one shows one line, cut to the terminal, which is gone at its end', async () => {
  const written = await shownOf('Checking', (steps) => {
    steps.at(1, 214)
    vi.advanceTimersByTime(1_000)
    steps.at(2, 214, '1 failed')
    vi.advanceTimersByTime(1_050)
    steps.at(3, 214, 'a very long text that has no room')
    vi.advanceTimersByTime(100)
    steps.at(4, 214, 'a very long text that has no room')
  })
  expect(written).toEqual([
    `${clear}Checking: 1 of 214\r`,
    `${clear}Checking: 2 of 214, 1 failed…\r`,
    `${clear}Checking: 4 of 214, a very l…\r`,
    clear,
  ])
})

test('work without steps counts its seconds', async () => {
  const written = await shownOf('Reading', () => void vi.advanceTimersByTime(3_000))
  const lines = ['Reading', 'Reading (2 s)', 'Reading (3 s)'].map((line) => `${clear}${line}\r`)
  expect(written.slice(0, 3)).toEqual(lines)
})

test('what else is printed takes the line away first, and it comes back', async () => {
  const written = await shownOf('Checking', (steps) => {
    vi.advanceTimersByTime(1_000)
    clearProgress()
    clearProgress()
    vi.advanceTimersByTime(200)
    steps.at(2)
  })
  expect(written).toEqual([`${clear}Checking\r`, clear, `${clear}Checking: 2\r`, clear])
})

test('where no terminal is it prints nothing', async () => {
  const { to, written } = kept({})
  await withProgress('Checking', () => void vi.advanceTimersByTime(60_000), to)
  expect(written).toEqual([])
})

test('work within work leaves the line as it is, and a failure takes it away', async () => {
  const { to, written } = kept({ isTTY: true, columns: 30 })
  const inner = kept({ isTTY: true, columns: 80 })
  const work = async () => {
    await withProgress('Inner', () => void vi.advanceTimersByTime(1_000), inner.to)
    throw new Error('no')
  }
  await expect(withProgress('Outer', work, to)).rejects.toThrow('no')
  expect([written, inner.written]).toEqual([[`${clear}Outer\r`, clear], []])
})

test('while a person is asked something no line is drawn', async () => {
  const written = await shownOf('Working', async () => {
    vi.advanceTimersByTime(1_000)
    await withoutProgress(async () => void vi.advanceTimersByTime(5_000))
    vi.advanceTimersByTime(1_000)
  })
  expect(written).toEqual([`${clear}Working\r`, clear, `${clear}Working (7 s)\r`, clear])
})
