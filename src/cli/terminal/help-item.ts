import type { Help } from 'commander'

/** A column of descriptions that has to be narrower than this is read more easily below its option. */
const narrowest = 24
const indent = ' '.repeat(6)

/** How the help shows an option, an argument or a command: its description is wrapped to the terminal, however narrow that is. */
export const helpItems: Partial<Help> = {
  // Commander's own leaves a column of fewer than 40 as it is.
  minWidthToWrap: 1,
  formatItem(term, termWidth, description, helper) {
    const width = helper.helpWidth ?? 80
    const before = 2 + termWidth + 2
    const isBeside = width - before >= narrowest
    const margin = isBeside ? ' '.repeat(before) : indent
    const lines = description === '' ? [] : helper.boxWrap(description, width - margin.length).split('\n')
    const below = (some: readonly string[]) => some.map((line) => `\n${margin}${line}`).join('')
    if (!isBeside) return `  ${term}${below(lines)}`
    const [first = '', ...rest] = lines
    const padded = term + ' '.repeat(termWidth - helper.displayWidth(term))
    return `  ${padded}  ${first}`.trimEnd() + below(rest)
  },
}
