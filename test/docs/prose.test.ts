import { expect, test } from 'vitest'
import { findingsIn, longest, sentencesOf, split, wordsIn } from '../../.ci/docs/prose.ts'
import { guides, type Placed } from './pages.ts'

/** What a newcomer reads first. */
const first = guides.filter(({ path }) => /^(README|docs\/(README|start|rates|payments))\.md$/.test(path))

/** The findings on these pages that are long sentences, or those that are not. */
const foundOn = (pages: readonly Placed[], isLong: boolean) =>
  pages.flatMap(({ path, text }) =>
    findingsIn(sentencesOf(text))
      .filter(({ what }) => (what === 'long') === isLong)
      .map(({ line, detail, sentence }) => `${path}:${line} ${detail}: ${sentence}`),
  )

test('README and the start pages have no sentence over 30 words', () => {
  expect(first).toHaveLength(5)
  expect(foundOn(first, true)).toEqual([])
})

test('no page opens a sentence with a riddle or uses a retired word', () => {
  expect(foundOn(guides, false)).toEqual([])
})

test('what the check looks for is found, across lines and in lists and tables', () => {
  const words = Array.from({ length: longest + 1 }, (_, at) => `word${at}`)
  const page = `# What a title\n\n${words.slice(0, 20).join(' ')}\n${words.slice(20).join(' ')}.\n\n- Who pays is shown.\n\n| a | b |\n| - | - |\n| Whoever calls. | The shop is told. |\n`
  const found = findingsIn(sentencesOf(page))
  expect(found.map(({ line, what }) => [line, what])).toEqual([
    [3, 'long'],
    [6, 'opening'],
    [10, 'opening'],
    [10, 'retired'],
  ])
  expect(findingsIn(sentencesOf('What happened to this payment?'))).toEqual([])
})

test('code is one word and ends no sentence', () => {
  expect(split('Run `a. B c` now. Then stop.')).toEqual(['Run `a. B c` now.', 'Then stop.'])
  expect(wordsIn('Run `purveyor shop list --json` now.')).toBe(3)
})
