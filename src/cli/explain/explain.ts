import { readFileSync } from 'node:fs'
import { nearest } from '../../checked-options.ts'
import { conformanceCases } from '../../conformance/index.ts'
import { type ProblemCode, problems } from '../../contract/index.ts'
import type { CodeText } from '../../errors/codes.ts'
import { print, table } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'
import { type Explanation, pages, pagesOf } from './pages.ts'

const rules = new URL('../../../docs/monitoring/prometheus-rules.yml', import.meta.url)

/** The comments above each alert: what it means, and what the one on call does. The first sentence of the remedy is the first step. */
export const alerts: Readonly<Record<string, CodeText>> = Object.fromEntries(
  Array.from(
    readFileSync(rules, 'utf8').matchAll(/^ +# (.+)\n +# Remedy: (.+)\n +- alert: (\w+)$/gm),
    ([, why = '', remedy = '', name = '']) => [name, { why, remedy }],
  ),
)

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
  ...pagesOf('an alert of docs/monitoring/prometheus-rules.yml', alerts),
  ...conformanceCases.map(({ name, title, section, level, platform, remedy }) => ({
    code: name,
    where: `a case of purveyor check (${level}, ${section})`,
    why: `${title}. If not: ${platform}`,
    remedy,
  })),
]

export function explain(code: string | undefined, json: boolean | undefined) {
  const all = explanations()
  const codes = all.filter(({ where }) => !where.startsWith('a case'))
  if (code === undefined) return print(json, all, () => table(codes, '', { code: 'code', where: 'where' }))
  // The `type` of a problem ends with its code.
  const name = code.toLowerCase().replace(/^urn:purveyor:problem:/, '')
  const found = all.filter((one) => one.code.toLowerCase() === name)
  if (found.length === 0) throw new UsageError(`There is no code "${code}". ${suggestion(name, all)}`)
  const linesOf = ({ code, where, why, remedy, onCall = [] }: Explanation) => [
    ...['', `${code}: ${where}`, '', `  ${why}`, '', `  Remedy: ${remedy}`],
    ...(onCall.length > 0 ? ['', '  On call:', ...onCall.map((step) => `  - ${step}`)] : []),
  ]
  print(json, found, () => found.flatMap(linesOf).slice(1))
}

/** The code or alert that is spelled most like the name, else those that share its first word. */
function suggestion(name: string, all: Explanation[]): string {
  const codes = [...new Set(all.map(({ code }) => code))]
  const word = name.split(/[_-]/)[0] ?? ''
  const alike = codes.filter((code) => word.length > 2 && code.toLowerCase().includes(word))
  const near = [nearest(name, codes) ?? alike].flat().slice(0, 5)
  return near.length === 0 ? '`purveyor explain` lists them.' : `Did you mean ${near.join(', ')}?`
}

const startSteps = [
  'Run `purveyor lanes list --kind starts`: it names the payment adapters whose starts fail, since when, for how many shops and why.',
  'One adapter for all shops: the payment service is slow or down. Look at its status page, and consider taking its methods out of `methods` until it answers.',
  'One shop alone: its keys at the payment service. All adapters at once: the fault is on your side, so run `purveyor doctor` for name servers and the database, and check egress.',
  'Read the log line `payment start failed`: `err` has the error of the adapter and its place in the code. A code about host names, such as NAME_SERVER_FAILED: the service was never called. Run `purveyor explain <code>`.',
  '`purveyor payments find <order>` says how the start of one order ended, when it is looked up, and until when the customer may try again.',
  'Nothing is lost: an answer that comes late is stored, and the same call continues the attempt. An adapter with `find` is asked a minute later; `purveyor payments ask <order>` does it at once.',
  'A service that always needs more time: raise `payments.deadlines.start` (default 4,000 ms); platforms give up after five seconds.',
]

/** For the one on call: what to look at and do about answers of a provider whose remedy is for the caller. */
const problemSteps: Partial<Record<ProblemCode, readonly string[]>> = {
  PAYMENT_START_TIMEOUT: startSteps,
  PAYMENT_START_FAILED: startSteps,
  PUSH_NOT_VERIFIED: [
    'Run `purveyor pushes refused`: it lists the adapters and shops with the number of refused pushes, the first, the last and the reason.',
    'All pushes of an adapter: its signing secret was changed on one side, or a proxy changes the body. One shop: the secret in the settings of this shop.',
    '`push.verify failed` means that the adapter threw: the log line `a push could not be verified` has the place.',
    'A few for a shop whose other pushes are accepted: a stranger knows the address. They change nothing.',
    'Payments stay pending until a check asks the service, which needs `status`. `purveyor payments ask <order>` asks at once. After the repair let the service send its pushes again.',
  ],
}
