import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { CaseResult, CheckPlan, CheckReport } from '../../conformance/index.ts'
import { bothServed } from '../../contract/served.ts'
import { counted } from '../../printable.ts'
import { withoutToken } from '../../shops/seal.ts'
import { count, httpUrl, isHttp, json, oneOf, parsed, place, plain, port } from '../table.ts'
import { type Line, print, say } from '../terminal/print.ts'
import { type Steps, withProgress } from '../terminal/progress.ts'
import { EnvironmentProblem, UsageError } from '../terminal/usage.ts'

const reachedAt = 'address at which a provider on another machine reaches this one'

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
    '--receiver-url <url>': parsed(reachedAt, httpUrl),
    '--receiver-port <number>': parsed('port that receives those calls; default: a free one', port),
    '--junit <file>': 'write a JUnit report to this file',
    ...json,
  },
  async run({ urlEndpoint: endpoint, case: cases, junit, verbose = false, json, ...checking }) {
    const isOne = 'Name the urlEndpoint of a provider, as purveyor shop show --endpoint prints it'
    if (!isHttp(endpoint)) throw new UsageError(`${endpoint} is not an http or https address. ${isOne}`)
    // A check takes long: a report that cannot be written is known before it.
    const isNew = junit !== undefined && !existsSync(junit)
    if (junit !== undefined) writeReport(junit, '', 'a')
    const { checkProvider, junitOf } = await import('../../conformance/index.ts')
    const stop = new AbortController()
    const interrupted = () => stop.abort()
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
    function check(steps: Steps): Promise<CheckReport> {
      let plan: CheckPlan | undefined
      let [done, failed, hasPrinted] = [0, 0, false]
      return checkProvider(endpoint, {
        ...{ ...checking, cases, signal: stop.signal },
        onStart(started) {
          plan = started
          if (!json)
            say(`${casesOf(started)}. ${started.startsPayments ? ordersMade : 'It starts no payments.'}`)
        },
        onResult(result) {
          done++
          if (result.result === 'failed') failed++
          // Cases that passed are counted. Reasons of those that were skipped come together at the end.
          if (!json && (verbose || ['failed', 'advice'].includes(result.result))) {
            if (!hasPrinted) say('')
            hasPrinted = true
            show(shown(result))
          }
          steps.at(done, plan?.cases, done === plan?.cases ? 'closing test orders' : `${failed} failed`)
        },
      })
    }
    const report = await withProgress('Checking', check).catch((error: unknown) => {
      if (isNew) rmSync(junit)
      throw error
    })
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    if (junit !== undefined) writeReport(junit, withoutToken(junitOf(report)))
    const { results, ...counts } = report
    const { passed, failed, advice, skipped, testOrders } = report
    const { started, open } = testOrders
    const [stay, them] = open === 1 ? ['stays', 'it'] : ['stay', 'them']
    const interruptedNow = stop.signal.aborted
    print(json, { ...counts, interrupted: interruptedNow, results: results.map(shown) }, () => [
      ...(verbose ? [] : skippedLines(results)),
      '',
      `${interruptedNow ? 'Interrupted after ' : ''}${casesOf(report)}: ${passed} passed, ${failed} failed, ${advice} advice, ${skipped} skipped`,
      open > 0 &&
        `${open} of ${counted(started, 'test order')} ${stay} open, because the payment page does not cancel ${them}.`,
    ])
    if (failed > 0) process.exitCode = 1
    // An interrupt does not wait for the call that is under way.
    if (interruptedNow) process.exit(1)
  },
})

const ordersMade =
  'It starts payments of marked test orders (CHECK-...), uses their payment pages, and cancels those that are left. --read-only starts none.'

const casesOf = ({ about, cases }: Pick<CheckPlan, 'about' | 'cases'>): string =>
  counted(cases, 'case') + (about.length > 0 ? ` about ${about.join(' and ')}` : '')

const marks = {
  passed: { text: 'ok     ', colour: 'green' },
  failed: { text: 'FAILED ', colour: 'red' },
  advice: { text: 'advice ', colour: 'yellow' },
  skipped: 'skipped',
} as const satisfies Record<CaseResult['result'], Line>

/** The endpoint in a curl line is a secret: it is printed to a terminal, and never to the log of a build server. */
const shown = (result: CaseResult): CaseResult =>
  process.stdout.isTTY || !result.curl ? result : { ...result, curl: withoutToken(result.curl) }

function show({ result, name, title, section, reason, ...found }: CaseResult) {
  if (result === 'skipped') return say(` ${name}: ${reason}`, marks.skipped)
  say(` ${title} (${name}, ${section})`, marks[result])
  if (result === 'passed') return
  say(`          expected  ${found.expected}`)
  say(`          received  ${found.received}`)
  say(`          impact    ${found.platform}`)
  say(`          fix       ${found.remedy}`)
  if (found.curl) say(`          try it    ${found.curl}`)
}

function skippedLines(results: readonly CaseResult[]): string[] {
  const skipped = results.filter(({ result }) => result === 'skipped')
  const lines = [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, [first, ...more]]) => {
    const which = more.length === 0 ? first!.name : counted(more.length + 1, 'case')
    return `${marks.skipped} ${which}: ${reason}`
  })
  return lines.length === 0 ? [] : ['', ...lines]
}

function writeReport(file: string, text: string, flag: 'a' | 'w' = 'w'): void {
  try {
    writeFileSync(file, text, { flag })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const says = `The report cannot be written to ${file}`
    if (code === 'EISDIR') throw new UsageError(`${says}: it is a folder.`)
    throw new EnvironmentProblem(`${says} (${code}).`)
  }
}
