/** What each bench measures: a title and a sentence. */
const benches: Readonly<Record<string, readonly [title: string, about: string]>> = {
  copy: ['Moving a store', '`db copy` from SQLite to PostgreSQL, and back.'],
  http: [
    'CPU of a rates call',
    'CPU time of the server for one checkout that is answered with five methods, beside other servers that answer the same.',
  ],
  pages: [
    'CPU of a payment page',
    'CPU time of the server for one visit of a page with a form, beside an Express that sends the same bytes and headers.',
  ],
  payments: [
    'Payment starts on SQLite',
    'Each start is on disk before its answer. Beside it the same rows written by the bare driver.',
  ],
  postgres: [
    'Payment starts on PostgreSQL',
    'Starts by 1, 2 and 4 nodes beside the bare driver, and deliveries beside graphile-worker.',
  ],
  rates: [
    'Rates beside faulty adapters',
    'How late an answer is, how many calls to the carrier the cache saves, and lookups in a tariff of 100,000 rows.',
  ],
  sandbox: ['The sandbox', 'The start of the shop, and how many checkouts it plays in a minute.'],
  start: [
    'Starts',
    'A start with many shops, what a provider takes beside 10,000 and beside 100, and the start of three commands.',
  ],
  webhooks: [
    'Webhooks to 100 shops',
    'Deliveries beside a loop that notes nothing, and beside shops that hang.',
  ],
}

/** How `judge` in `test/torture/neighbours/report.ts` finds a violation. */
const neighbourRules = [
  'A bad neighbour is a violation if a call of another shop fails or is late, if it is not well again within 60 s, or if the others wait',
  'longer. They do if their p99 is over 1.2 times that of before and over 5 ms more, in all turns together and in three turns of four. So',
  'a ratio above 1.2 alone is no violation. The time of the damaged page is virtual.',
].join('\n')

const tortures: Readonly<Record<string, readonly [title: string, about: string]>> = {
  postgres: ['Torture on PostgreSQL', 'Crashes, races and commits whose answer is lost, on a real server.'],
  neighbours: [
    'Torture by neighbours',
    `200 shops while one bad neighbour after the other fails.\n\n${neighbourRules}`,
  ],
  checker: ['Torture of the checker', 'Every faulty provider against every case.'],
}

const torture = [
  'Torture',
  `Crashes, power cuts, races, an outage, strangers and neighbours. The first five figures must be 0 or none.\n\n${neighbourRules}`,
] as const

/** The title of a result and the sentence below it. */
export function headingOf(result: { bench?: string; torture?: string; command: string }): {
  title: string
  about: string
} {
  const [, part = ''] = /--(?:store )?(postgres|neighbours|checker)/.exec(result.command) ?? []
  const [title, about] = (result.bench ? benches[result.bench] : (tortures[part] ?? torture)) ?? [
    `Bench ${result.bench}`,
    '',
  ]
  return { title: / --quick\b/.test(result.command) ? `${title} (quick)` : title, about }
}

const known: Readonly<Record<string, string>> = {
  us_per_request: 'CPU per call',
  per_second: 'per second',
  per_second_with_hanging: 'per second while some shops hang',
  'by-zod': 'Purveyor with zod alone',
  purveyor: 'Purveyor',
  raw: 'bare Node or driver',
  fastify: 'Fastify',
  express: 'Express, by hand',
  vs_raw: 'times the bare Node or driver',
  vs_fastify: 'times Fastify',
  vs_express: 'times Express',
  vs_by_zod: 'times Purveyor with zod alone',
  vs_commit_each: 'times the bare driver with a commit for each write',
  vs_graphile_worker: 'times graphile-worker',
  killed_seconds: 'seconds, killed on the way',
  growth: 'times an empty store, in a full one',
  with_hanging: 'times that, while some shops hang',
  nodes_2: 'times one node, with 2',
  nodes_4: 'times one node, with 4',
  calls_saved: 'carrier calls saved by the cache, as a fraction of all questions',
  calls_saved_beside_breaker: 'the same of the calls that the breaker lets through',
  crossed: 'answers of another shop',
  too_old: 'prices that were too old',
  incomplete: 'answers without all healthy methods',
  table_us: 'a quote from a tariff of 100,000 rows',
  table_growth: 'times a tariff of 1,000 rows',
  shops_us: 'a quote of one of 100 shops with tariffs of their own',
  shops_mb: 'the memory of these tariffs, in MB',
  schedules: 'simulated schedules',
  simulated_kills: 'kills within the schedules',
  strings: 'orders of events',
  kills: 'kills of a real process',
  images: 'images of a power cut',
  races: 'races of two processes',
  synced_answers: 'answers watched for their sync',
  cut_commits: 'commits that were cut off, or whose answer was',
  cut: 'cut',
  repeated: 'carried out twice or not at all',
  lost: 'lost payments and webhooks',
  invented: 'invented statuses',
  double_sessions: 'second sessions at a payment service',
  violations: 'violated promises',
  bugs: 'seeded bugs',
  survivors: 'seeded bugs that were not caught',
  outage: 'a receiver that is down',
  tenants: 'other shops',
  pairs: 'tries',
  rest: 'the store at rest',
  unread: 'answers that nobody reads',
  idle: 'idle connections',
  urls: 'addresses',
  stall_ms: 'longest stall',
  p99_ratio: 'p99 in times of before',
}

const units: Readonly<Record<string, string>> = { us: 'µs', ms: 'ms', s: 's', mb: 'MB' }

const unitOf = (name: string): string =>
  name === 'us_per_request' ? 'µs' : (units[/_(us|ms|s|mb)$/.exec(name)?.[1] ?? ''] ?? '')

const nameOf = (name: string): string =>
  known[name] ?? name.replace(/_(us|ms|s|mb)$/, '').replaceAll('_', ' ')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value in one cell, such as `sockets 50, last closed 13.5 s`. */
function textOf(value: unknown, unit: string): string {
  if (isObject(value))
    return Object.entries(value)
      .map(([name, one]) =>
        /^\d+$/.test(name) ? `${name}: ${textOf(one, '')}` : `${nameOf(name)} ${textOf(one, unitOf(name))}`,
      )
      .join(', ')
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join('; ')
  const text = typeof value === 'number' ? value.toLocaleString('en') : String(value)
  return unit ? `${text} ${unit}` : text
}

/** Figures beside so many shops stand in one row, so that they can be compared. */
const isOfShops = /_\d+_shops$/

/** A figure of a result as rows of name and value: one row, or one for each part of it. */
export function rowsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return []
  const parts = Array.isArray(value)
    ? value.filter(isObject).map(({ name: part, ...figures }): [string, unknown] => [String(part), figures])
    : isObject(value)
      ? Object.entries(value)
      : []
  if (parts.length === 0 || isOfShops.test(name)) return [[nameOf(name), textOf(value, unitOf(name))]]
  return parts.map(([part, figures]) => [
    `${nameOf(name)}: ${nameOf(part)}`,
    textOf(figures, unitOf(part) || unitOf(name)),
  ])
}
