import { conformanceCases } from '../conformance/index.ts'
import { problems } from '../contract/index.ts'
import { type Explanation, pages } from './explain-pages.ts'
import { print, table } from './print.ts'
import { UsageError } from './usage.ts'

/** Everything with a page: the answers of a provider, the errors of its parts, anomalies, and the cases of the checker. */
export const explanations = (): Explanation[] => [
  ...Object.entries(problems).map(([code, { status, title, remedy }]) => ({
    code,
    where: `answered with status ${status} (application/problem+json)`,
    why: title,
    remedy,
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
export function explain(code: string | undefined, { json }: { json?: boolean }): void {
  const all = explanations()
  if (code === undefined) {
    const codes = all.filter(({ where }) => !where.startsWith('a case'))
    print(json, all, () =>
      table(
        ['code', 'where'],
        codes.map((one) => [one.code, one.where]),
        '',
      ),
    )
    return
  }
  // The `type` of a problem ends with its code.
  const name = code.toLowerCase().replace(/^urn:purveyor:problem:/, '')
  const found = all.filter((one) => one.code.toLowerCase() === name)
  if (found.length === 0) throw new UsageError(`There is no code "${code}". ${nearest(code, all)}`)
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

function nearest(code: string, all: Explanation[]): string {
  const word = code.toLowerCase().split(/[_-]/)[0] ?? ''
  const near = all.filter((one) => word.length > 2 && one.code.toLowerCase().includes(word)).slice(0, 5)
  if (near.length === 0) return '`purveyor explain` lists them.'
  return `Did you mean ${near.map((one) => one.code).join(', ')}?`
}
