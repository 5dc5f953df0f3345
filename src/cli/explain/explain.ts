import { conformanceCases } from '../../conformance/index.ts'
import { type ProblemCode, problems } from '../../contract/index.ts'
import { nearest } from '../../use-cases/nearest.ts'
import { print, table } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'
import { type Explanation, pages } from './pages.ts'
import { problemSteps } from './problem-steps.ts'

/** Everything with a page: the answers of a provider, the errors of its parts, anomalies, and the cases of the checker. */
export const explanations = (): Explanation[] => [
  ...Object.entries(problems).map(([code, { status, title, remedy }]) => ({
    code,
    where: `answered with status ${status} (application/problem+json)`,
    why: title,
    remedy,
    onCall: problemSteps[code as ProblemCode],
  })),
  ...pages,
  ...conformanceCases.map(({ name, title, section, level, platform, remedy }) => ({
    code: name,
    where: `a case of purveyor check (${level}, ${section})`,
    why: `${title}. If not: ${platform}`,
    remedy,
  })),
]

/** Prints the page of a code; without one, lists them. */
export function explain(code: string | undefined, json: boolean | undefined): void {
  const all = explanations()
  if (code === undefined) {
    const codes = all.filter(({ where }) => !where.startsWith('a case'))
    print(json, all, () => table(codes, '', { code: (one) => one.code, where: ({ where }) => where }))
    return
  }
  // The `type` of a problem ends with its code.
  const name = code.toLowerCase().replace(/^urn:purveyor:problem:/, '')
  const found = all.filter((one) => one.code.toLowerCase() === name)
  if (found.length === 0) throw new UsageError(`There is no code "${code}". ${suggestion(name, all)}`)
  print(json, found, () =>
    found
      .flatMap(({ code, where, why, remedy, onCall = [] }) => [
        '',
        `${code}: ${where}`,
        '',
        `  ${why}`,
        '',
        `  What to do: ${remedy}`,
        ...(onCall.length > 0 ? ['', '  On call:', ...onCall.map((step) => `  - ${step}`)] : []),
      ])
      .slice(1),
  )
}

/** The code or alert that is spelled most like the name, else those that share its first word. */
function suggestion(name: string, all: Explanation[]): string {
  const codes = [...new Set(all.map(({ code }) => code))]
  const word = name.split(/[_-]/)[0] ?? ''
  const alike = codes.filter((code) => word.length > 2 && code.toLowerCase().includes(word))
  const near = [nearest(name, codes) ?? alike].flat().slice(0, 5)
  if (near.length === 0) return '`purveyor explain` lists them.'
  return `Did you mean ${near.join(', ')}?`
}
