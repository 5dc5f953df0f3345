import { expect } from 'vitest'
import { commandsIn, withWords } from '../command.ts'

/** What a check of doctor found. */
interface Result {
  name: string
  verdict: string
  says: string
  remedy?: string
}

/** A result with these words, and with these in its remedy. */
export const found = (verdict: string, says: string | RegExp, remedy?: string | RegExp) => ({
  verdict,
  says: withWords(says),
  ...(remedy && { remedy: withWords(remedy) }),
})

/** Runs doctor in a folder. `of` is the result of a check. */
export async function doctor(cwd: string, env: Record<string, string> = {}, ...args: string[]) {
  const { code, out, err } = await commandsIn(cwd, env)('doctor --json', ...args)
  expect(err).toBe('')
  return { code, ...doctorResults(out) }
}

/** What `doctor --json` printed. */
export function doctorResults(out: string) {
  const { results, ...counts } = JSON.parse(out) as { results: Result[]; fail: number }
  return { counts, results, of: (name: string) => results.find((one) => one.name === name) }
}
