import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8')

export interface Word {
  word: string
  meaning: string
  /** Words that this one has replaced. */
  retired: string[]
}

/** The glossary of ARCHITECTURE.md. */
export const glossary: readonly Word[] = page
  .split('\n## Glossary\n')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:word |-)/.test(line))
  .map((line) => {
    const [, word = '', meaning = '', retired = ''] = line.split('|').map((cell) => cell.trim())
    return { word, meaning, retired: [...retired.matchAll(/`([^`]+)`/g)].map(([, one]) => one!) }
  })

/** A retired word in every form, such as `notice`, `notices` and `noticed`. */
function formsOf(retired: string): string {
  const [verb = '', ...more] = retired.split(' ')
  const stem = verb.replace(/e$/, '')
  return [`${stem}(?:e?s?|ed|ing|ions?|able)`, ...more].join(' ')
}

/** Finds a retired word as a whole word. */
export const retiredWord = new RegExp(
  `(?<!\\w)(?:${glossary.flatMap(({ retired }) => retired.map(formsOf)).join('|')})\\b`,
  'i',
)

/** The words of names too: `toldNow`, `TOLD_NOW` and `told_now` are `told now`. */
export const asWords = (text: string): string =>
  text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_`]/g, ' ')
