/** The last line of a bench or of the torture. */
export interface Result {
  bench?: string
  torture?: string
  command: string
  commit: string
  node: string
  cores: number
  /** `2027-04-01`. */
  date: string
  [figure: string]: unknown
}

/** The results in the log of a run. Lines without a command or a commit are none: a figure that nobody can repeat is not shown. */
export const resultsIn = (log: string): Result[] =>
  log.split('\n').flatMap((line) => {
    if (!/^\{.*"(bench|torture)":/.test(line)) return []
    const result = JSON.parse(line) as Result
    return result.command && result.commit && result.cores ? [result] : []
  })

/** The newest result of each command, one line each. */
export const newestOf = (results: readonly Result[]): Result[] =>
  [...new Map(results.map((one) => [one.command, one])).values()].toSorted((one, other) =>
    one.command < other.command ? -1 : 1,
  )

interface Figure {
  /** The bench or torture that measures it. */
  of: string
  what: string
  path: string
  /** Writes the value. */
  as: (value: number) => string
  means: string
}

const rounded = (unit: string) => (value: number) => `${Math.round(value).toLocaleString('en')}${unit}`
const times = (value: number) => `${value.toFixed(2)} times`

/** What a user may ask, with what the answer means for them. */
export const figures: readonly Figure[] = [
  {
    ...{ of: 'http', what: 'CPU for a rates call, without your adapter', path: 'us_per_request.purveyor' },
    ...{ as: rounded(' µs'), means: 'your adapter and its carrier take nearly all of the time' },
  },
  {
    ...{ of: 'http', what: 'the same beside Express by hand', path: 'vs_express' },
    ...{ as: times, means: 'the framework costs less than your own routes would' },
  },
  {
    ...{ of: 'payments', what: 'payment starts on SQLite, on disk', path: 'per_second.median' },
    ...{ as: rounded(' a second'), means: 'one machine is enough for most providers' },
  },
  {
    ...{ of: 'payments', what: 'ready with a store of 1,000,000 payments', path: 'sqlite.ready_ms' },
    ...{ as: rounded(' ms'), means: 'a restart does not wait for a full store' },
  },
  {
    ...{ of: 'webhooks', what: 'webhooks to 100 shops', path: 'per_second.median' },
    ...{ as: rounded(' a second'), means: 'a backlog of an hour is delivered in minutes' },
  },
  {
    ...{ of: 'webhooks', what: 'the same while some shops hang', path: 'per_second_with_hanging.median' },
    ...{ as: rounded(' a second'), means: 'a shop that hangs delays its own webhooks' },
  },
  {
    ...{ of: 'rates', what: 'calls to the carrier that the cache saves', path: 'calls_saved' },
    ...{ as: (value) => `${Math.round(value * 100)} %`, means: 'carts that ask again cost no call' },
  },
  {
    ...{ of: 'rates', what: 'a price from a tariff of 100,000 rows', path: 'table_us' },
    ...{ as: rounded(' µs'), means: 'a large tariff answers as fast as a small one' },
  },
  {
    ...{ of: 'rates', what: 'an answer while a carrier hangs (p99)', path: 'p99_ms' },
    ...{ as: rounded(' ms'), means: 'the deadline of 2,500 ms holds' },
  },
  {
    ...{ of: 'torture', what: 'payments or webhooks lost as processes are killed', path: 'kills.lost' },
    ...{ as: rounded(''), means: 'what was acknowledged is on disk' },
  },
]

/** Each a bench, a path with several numbers, a unit, and a name for each number. */
const charts = [
  {
    ...{ of: 'http', title: 'CPU for a rates call, in µs', path: 'us_per_request' },
    bars: { raw: 'bare Node', purveyor: 'Purveyor', fastify: 'Fastify', express: 'Express by hand' },
  },
  {
    ...{ of: 'webhooks', title: 'Webhooks to 100 shops, a second', path: '' },
    bars: {
      'per_second.median': 'all shops answer',
      'per_second_with_hanging.median': 'some shops hang',
    },
  },
]

const kindOf = (result: Result): string => result.bench ?? 'torture'

function numberAt(result: Result, path: string): number {
  const value = path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], result)
  if (typeof value !== 'number') throw new Error(`The result of ${result.command} has no ${path}.`)
  return value
}

/** The results that the figures need. Throws for one that is missing, and for another commit. */
function shownOf(results: readonly Result[]): Map<string, Result> {
  const shown = new Map(results.map((one) => [kindOf(one), one]))
  const [first] = shown.values()
  for (const { of } of figures) {
    const result = shown.get(of)
    if (!result) throw new Error(`There is no result of ${of}.`)
    if (result.commit !== first!.commit)
      throw new Error(`The result of ${of} is of commit ${result.commit}, and others of ${first!.commit}.`)
  }
  return shown
}

/** The page of ten figures, all of one commit. */
export function resultsPage(results: readonly Result[]): string {
  const shown = shownOf(results)
  const { commit, cores, node, date } = shown.get('http')!
  const rows = figures.map(
    ({ of, what, path, as, means }) => `| ${what} | ${as(numberAt(shown.get(of)!, path))} | ${means} |`,
  )
  const commands = [...new Set(figures.map(({ of }) => shown.get(of)!.command))]
  return `# Results

Ten figures of one state of the code: commit \`${commit}\`, ${cores} cores, Node ${node}, ${date}. Figures depend on the machine; yours come
from the commands below.

| what | figure | for you |
| - | - | - |
${rows.join('\n')}

${charts.map((chart) => chartOf(shown.get(chart.of)!, chart)).join('\n\n')}

## Repeat them

In a checkout of the repository, one after the other on a quiet machine:

${commands.map((command) => `- \`${command}\``).join('\n')}

The last one kills processes, cuts commits off, races nodes and puts known bugs into the code, which must be caught. [Capacity](capacity.md)
says what to plan with these figures.
`
}

function chartOf(result: Result, { title, path, bars }: (typeof charts)[number]): string {
  const values = Object.entries(bars).map(
    ([name, label]) => [label, numberAt(result, [path, name].filter(Boolean).join('.'))] as const,
  )
  const most = Math.max(...values.map(([, value]) => value))
  const widest = Math.max(...values.map(([label]) => label.length))
  const lines = values.map(
    ([label, value]) =>
      `${label.padEnd(widest)}  ${'█'.repeat(Math.round((value / most) * 30)).padEnd(30)}  ${Math.round(value).toLocaleString('en')}`,
  )
  return `## ${title}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\``
}
