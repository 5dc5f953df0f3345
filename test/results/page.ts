import { tableText } from '../docs/tables.ts'
import { headingOf, rowsOf } from './words.ts'

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

/** These must be 0 or none, and stand first. */
const mustBeNone = ['lost', 'invented', 'double_sessions', 'violations', 'survivors']
const rank = (name: string): number => (mustBeNone.includes(name) ? 0 : 1)

/** Shown above the figures. */
const aboutRun = ['bench', 'torture', 'command', 'commit', 'node', 'cores', 'date', 'seeds']

/** The results in the log of a run. Lines without a command or a commit are none: a figure that nobody can repeat is not shown. */
export const resultsIn = (log: string): Result[] =>
  log.split('\n').flatMap((line) => {
    if (!/^\{.*"(bench|torture)":/.test(line)) return []
    const result = JSON.parse(line) as Result
    return result.command && result.commit && result.cores ? [result] : []
  })

/** The results that the page holds, so that a new one takes the place of the old one of its command. */
export const resultsOf = (page: string): Result[] =>
  [...page.matchAll(/^```jsonl\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) => resultsIn(text))

/** The newest result of each command. One of a `--quick` form gives way to that of the whole. */
function newestOf(results: readonly Result[]): Result[] {
  const newest = new Map(results.map((one) => [one.command, one]))
  const hasWhole = (command: string) => newest.has(command.replace(/(?: --)? --quick$/, ''))
  return [...newest.values()].filter(({ command }) => !/ --quick$/.test(command) || !hasWhole(command))
}

/** The page of the newest result of each command. */
export function resultsPage(results: readonly Result[]): string {
  const newest = newestOf(results).toSorted((one, other) => (one.command < other.command ? -1 : 1))
  const shown = [
    ...newest.flatMap(sectionOf),
    '## As printed',
    `\`\`\`jsonl\n${newest.map((one) => JSON.stringify(one)).join('\n')}\n\`\`\``,
  ]
  return `${[
    '# Results',
    'This page has the counts of the torture and the figures of the benches, each with the command and the commit. Figures depend on\nthe machine: run the command in a checkout of the repository to get yours.',
    '`npm run -s results -- <log>...` writes the page from what these commands print. It is never edited.',
    ...(newest.length === 0 ? ['No result has been recorded yet.'] : shown),
  ].join('\n\n')}\n`
}

function sectionOf(result: Result): string[] {
  const { title, about } = headingOf(result)
  const { command, commit, cores, node, date, seeds } = result
  const run = `\`${command}\` at commit \`${commit}\`, ${cores} cores, Node ${node}, ${date}`
  return [
    `## ${title}`,
    ...(about ? [about] : []),
    `${run}${seeds === undefined ? '' : `, seeds ${String(seeds)}`}.`,
    tableText(
      ['figure', 'value'],
      Object.entries(result)
        .filter(([name]) => !aboutRun.includes(name))
        .toSorted(([one], [other]) => rank(one) - rank(other))
        .flatMap(([name, value]) => rowsOf(name, value)),
    ),
  ]
}
