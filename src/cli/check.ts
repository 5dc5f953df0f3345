import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { CaseResult, CheckPlan, CheckReport } from '../conformance/index.ts'
import { bothServed } from '../contract/served.ts'
import { counted } from '../printable.ts'
import { withoutToken } from '../shops/tokens.ts'
import { count, json, oneOf, parsed, place, plain, port } from './table.ts'
import { type Line, print, say } from './terminal/print.ts'
import { withProgress } from './terminal/progress.ts'
import { EnvironmentProblem, UsageError } from './usage.ts'

/** A build server shows that the check goes on, in milliseconds. */
const lineEvery = 10_000

/** Exit code 1 when the contract is broken, 3 when there is nothing to check. When interrupted it prints the results so far. */
export const command = plain({
  description: 'test any endpoint against the contract',
  examples: [
    'purveyor check https://provider.example.org/e/token',
    'purveyor check https://provider.example.org/e/token --only rates --read-only --junit report.xml',
  ],
  arguments: { '<urlEndpoint>': 'the address registered with the shop' },
  options: {
    '--only <what>': oneOf('default: everything the endpoint serves', bothServed),
    '--case <names...>': 'only these cases',
    '--read-only': 'start no payments',
    ...place,
    '--verbose': 'print every case, also those that passed or were skipped',
    '--shop-id <number>': parsed("the platform's id of the shop, if the endpoint belongs to one shop", count),
    '--receiver-url <url>': 'address at which a provider on another machine reaches this one',
    '--receiver-port <number>': parsed('port that receives those calls; default: a free one', port),
    '--junit <file>': 'write a JUnit report to this file',
    ...json,
  },
  async run({ urlEndpoint: endpoint, case: cases, junit, verbose = false, json, ...checking }) {
    const { receiverUrl } = checking
    if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
      throw new UsageError(
        `${endpoint} is not an http or https address. The urlEndpoint of a provider is one: purveyor shop show --endpoint`,
      )
    if (receiverUrl !== undefined && !/^https?:$/.test(URL.parse(receiverUrl)?.protocol ?? ''))
      throw new UsageError(`--receiver-url ${receiverUrl} is not an http or https address.`)
    if (junit !== undefined) expectWritable(junit)
    const { checkProvider, junitOf } = await import('../conformance/index.ts')
    const stop = new AbortController()
    const interrupted = () => stop.abort()
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
    const report = await withProgress(
      'Checking',
      (steps) => {
        let plan: CheckPlan | undefined
        const results: CaseResult[] = []
        let hasPrinted = false
        return checkProvider(endpoint, {
          ...checking,
          cases,
          signal: stop.signal,
          onStart(started) {
            plan = started
            if (!json) printIntent(started)
          },
          onResult(result) {
            results.push(result)
            if (!json && isPrinted(result, verbose)) {
              if (!hasPrinted) say('')
              hasPrinted = true
              show(shown(result))
            }
            const failed = results.filter((one) => one.result === 'failed').length
            const isLast = results.length === plan?.cases
            steps.at(results.length, plan?.cases, isLast ? 'closing test orders' : `${failed} failed`)
          },
        })
      },
      json ? {} : { lineEvery },
    )
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    if (junit !== undefined) writeReport(junit, withoutToken(junitOf(report)))
    const { results, ...counts } = report
    const interruptedNow = stop.signal.aborted
    print(json, { ...counts, interrupted: interruptedNow, results: results.map(shown) }, () => [
      ...(verbose ? [] : skippedLines(results)),
      '',
      ...summaryOf(report, interruptedNow),
    ])
    if (report.failed > 0) process.exitCode = 1
    // An interrupt does not wait for the call that is under way.
    if (interruptedNow) process.exit(1)
  },
})

/** Cases that passed are counted. Reasons of those that were skipped come together at the end. */
const isPrinted = ({ result }: CaseResult, verbose: boolean): boolean =>
  verbose || result === 'failed' || result === 'advice'

function printIntent({ about, cases, startsPayments }: CheckPlan): void {
  const what = about.length > 0 ? ` about ${about.join(' and ')}` : ''
  const orders = startsPayments
    ? 'It starts payments of marked test orders (CHECK-...), uses their payment pages, and cancels those that are left. --read-only starts none.'
    : 'It starts no payments.'
  say(`${counted(cases, 'case')}${what}. ${orders}`)
}

const marks = {
  passed: { text: 'ok     ', colour: 'green' },
  failed: { text: 'FAILED ', colour: 'red' },
  advice: { text: 'advice ', colour: 'yellow' },
  skipped: 'skipped',
} as const satisfies Record<CaseResult['result'], Line>

/** The endpoint in a curl line is a secret: it is printed to a terminal, and never to the log of a build server. */
const shown = (result: CaseResult): CaseResult =>
  process.stdout.isTTY === true || result.curl === undefined
    ? result
    : { ...result, curl: withoutToken(result.curl) }

function show({ result, name, title, section, reason, ...found }: CaseResult) {
  if (result === 'skipped') return say(` ${name}: ${reason}`, marks.skipped)
  say(` ${title} (${name}, ${section})`, marks[result])
  if (result === 'passed') return
  const lines = [
    `expected  ${found.expected}`,
    `received  ${found.received}`,
    `impact    ${found.platform}`,
    `fix       ${found.remedy}`,
    ...(found.curl ? [`try it    ${found.curl}`] : []),
  ]
  for (const line of lines) say(`          ${line}`)
}

function skippedLines(results: readonly CaseResult[]): string[] {
  const skipped = results.filter(({ result }) => result === 'skipped')
  const lines = [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, [first, ...more]]) => {
    const which = more.length === 0 ? first!.name : counted(more.length + 1, 'case')
    return `${marks.skipped} ${which}: ${reason}`
  })
  return lines.length === 0 ? [] : ['', ...lines]
}

function summaryOf(report: CheckReport, interrupted: boolean): string[] {
  const { cases, passed, failed, advice, skipped, about, testOrders } = report
  const what = about.length > 0 ? ` about ${about.join(' and ')}` : ''
  const counts = `${counted(cases, 'case')}${what}: ${passed} passed, ${failed} failed, ${advice} advice, ${skipped} skipped`
  const { started, open } = testOrders
  const orders = counted(started, 'test order')
  return [
    `${interrupted ? 'Interrupted after ' : ''}${counts}`,
    ...(open > 0
      ? [
          `${open} of ${orders} ${open === 1 ? 'stays' : 'stay'} open, because the payment page does not cancel ${open === 1 ? 'it' : 'them'}.`,
        ]
      : []),
  ]
}

/** A check takes long: a report that cannot be written is known before it. */
function expectWritable(file: string): void {
  try {
    if (existsSync(file)) accessSync(file, constants.W_OK)
    else accessSync(dirname(resolve(file)), constants.W_OK)
    if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  } catch (error) {
    throw notWritten(file, error)
  }
  throw new UsageError(`The report cannot be written to ${file}: it is a folder.`)
}

const notWritten = (file: string, error: unknown) =>
  new EnvironmentProblem(
    `The report cannot be written to ${file} (${(error as NodeJS.ErrnoException).code}).`,
  )

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw notWritten(file, error)
  }
}
