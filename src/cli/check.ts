import { writeFileSync } from 'node:fs'
import { styleText } from 'node:util'
import {
  type CaseResult,
  type CheckOptions,
  type CheckReport,
  checkProvider,
  conformanceCases,
  junitOf,
} from '../conformance/index.ts'
import { withoutToken } from '../shops/tokens.ts'
import { print, say } from './print.ts'
import { EnvironmentProblem, UsageError } from './usage.ts'

export interface Options
  extends Pick<CheckOptions, 'only' | 'readOnly' | 'shopId' | 'receiverUrl' | 'receiverPort'> {
  case?: string[]
  junit?: string
  json?: boolean
}

/** Exit code 1 when the contract is broken, 3 when there is nothing to check. When interrupted it prints the results so far. */
export async function check(endpoint: string, options: Options): Promise<void> {
  const { case: cases, junit, json, ...checking } = options
  const { receiverUrl } = checking
  if (receiverUrl !== undefined && !/^https?:$/.test(URL.parse(receiverUrl)?.protocol ?? '')) {
    throw new UsageError(`--receiver-url ${receiverUrl} is not an http or https address.`)
  }
  const stop = new AbortController()
  const interrupted = () => stop.abort()
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  if (!json) printIntent(options)
  const onResult = json ? undefined : (result: CaseResult) => show(shown(result))
  const report = await checkProvider(endpoint, { ...checking, cases, onResult, signal: stop.signal })
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  if (junit !== undefined) writeReport(junit, report)
  const { results, ...counts } = report
  const interruptedNow = stop.signal.aborted
  print(json, { ...counts, interrupted: interruptedNow, results: results.map(shown) }, () => [
    '',
    summaryOf(report, interruptedNow),
  ])
  if (report.failed > 0) process.exitCode = 1
  // An interrupt does not wait for the call that is under way.
  if (stop.signal.aborted) process.exit(1)
}

function printIntent({ readOnly, case: cases }: Options): void {
  const number = cases?.length ?? conformanceCases.length
  const orders = readOnly
    ? 'It starts no payments.'
    : 'It starts payments of marked test orders (CHECK-...) and uses their payment pages; --read-only skips these.'
  say(`Runs up to ${number} cases, which send several hundred calls to the endpoint. ${orders}`)
  say('')
}

const marks = {
  passed: styleText('green', 'ok     '),
  failed: styleText('red', 'FAILED '),
  advice: styleText('yellow', 'advice '),
  skipped: 'skipped',
} as const

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

function summaryOf(
  { cases, passed, failed, advice, skipped, about }: CheckReport,
  interrupted: boolean,
): string {
  const what = about.length > 0 ? about.join(' and ') : 'nothing'
  const counts = `${cases} cases about ${what}: ${passed} passed, ${failed} failed, ${advice} advice, ${skipped} skipped`
  return `${interrupted ? 'Interrupted after ' : ''}${counts}`
}

function writeReport(file: string, report: CheckReport): void {
  try {
    writeFileSync(file, withoutToken(junitOf(report)))
  } catch (error) {
    throw new EnvironmentProblem(`The report cannot be written to ${file}: ${(error as Error).message}.`)
  }
}
