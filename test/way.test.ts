import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { followWay, type Way } from './way/ways.ts'

// Whoever looks for a fault reads these files. A change that raises a number says in its commit for which user.
const most: Record<Way, { files: number; frames: number }> = {
  quote: { files: 28, frames: 6 },
  start: { files: 46, frames: 6 },
  status: { files: 33, frames: 6 },
  webhook: { files: 45, frames: 0 },
}

/** The use case that an HTTP route calls. A start that others may wait for has none on its stack. */
const useCases = /^(async )?(quoteRates|readStatus) \((rates|payments)\//

const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8')
const sections = page.split('\n## ').filter((one) => one.startsWith('The way of one'))

test.each(Object.entries(most))(
  'one warm %s runs few files, and few functions stand before the adapter',
  async (way, { files, frames }) => {
    const found = await followWay(way as Way)
    expect(found.files.size, [...found.files.keys()].join('\n')).toBeLessThanOrEqual(files)
    expect(found.files.size).toBeGreaterThan(20)
    const named = { quote: sections[0], start: sections.join('\n') }[way]
    if (named !== undefined)
      expect([...found.files.keys()].filter((file) => !named.includes(`src/${file}`))).toEqual([])
    const useCase = found.frames.findIndex((frame) => useCases.test(frame))
    const between = useCase < 0 ? found.frames.length : useCase
    expect(between, found.frames.join('\n')).toBeLessThanOrEqual(frames)
    if (way !== 'webhook') expect(between).toBeGreaterThan(2)
  },
)
