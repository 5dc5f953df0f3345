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

const about = ['bench', 'torture', 'command', 'commit', 'node', 'cores', 'date', 'seeds']

/** The results in the log of a run. Lines without a command or a commit are none: a figure that nobody can repeat is not shown. */
export const resultsIn = (log: string): Result[] =>
  log.split('\n').flatMap((line) => {
    if (!/^\{.*"(bench|torture)":/.test(line)) return []
    const result = JSON.parse(line) as Result
    return result.command && result.commit && result.cores ? [result] : []
  })

/** The results that the page holds, so that a new one takes the place of the old one of its command. */
export const resultsOf = (page: string): Result[] =>
  [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) => resultsIn(text))

/** The page of the newest result of each command. */
export function resultsPage(results: readonly Result[]): string {
  const newest = [...new Map(results.map((one) => [one.command, one])).values()].toSorted((one, other) =>
    one.command < other.command ? -1 : 1,
  )
  const parts = newest.flatMap((result) => [
    `## ${titleOf(result)}`,
    `\`${result.command}\` at commit \`${result.commit}\`, ${result.cores} cores, Node ${result.node}, ${result.date}${
      result.seeds === undefined ? '' : `, seeds ${String(result.seeds)}`
    }.`,
    [
      '| figure | value |',
      '| --- | --- |',
      ...figuresOf(result).map(([name, value]) => `| ${name} | ${value} |`),
    ].join('\n'),
  ])
  return `${[
    '# Results',
    '`npm run -s results -- <log>...` writes this page from what benches and the torture print. It is never edited.',
    'A figure is of the machine that it was measured on. Repeat it with its command.',
    ...(newest.length === 0 ? ['No result has been recorded yet.'] : parts),
    ...(newest.length === 0
      ? []
      : ['## As printed', `\`\`\`json\n${newest.map((one) => JSON.stringify(one)).join('\n')}\n\`\`\``]),
  ].join('\n\n')}\n`
}

const titleOf = ({ bench, torture, command }: Result): string =>
  bench
    ? `Bench ${bench}`
    : `Torture, ${torture}${/--(?:store )?(postgres|neighbours|checker)/.exec(command)?.[1]?.replace(/^/, ': ') ?? ''}`

/** Numbers and short lists by their path, such as `outage.hours`. Of a long list its length. */
function figuresOf(result: object, path = ''): [string, string][] {
  return Object.entries(result).flatMap(([name, value]): [string, string][] => {
    if (path === '' && about.includes(name)) return []
    const at = path ? `${path}.${name}` : name
    if (Array.isArray(value)) return [[at, value.length === 0 ? 'none' : String(value.length)]]
    if (typeof value === 'object' && value !== null) return figuresOf(value, at)
    return value === undefined || value === null ? [] : [[at, String(value)]]
  })
}
