import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explanations } from '../../src/cli/explain/explain.ts'
import { commands } from '../../src/cli/groups.ts'
import { problemType } from '../../src/contract/problem.ts'
import { commandPage } from './commands-page.ts'
import { Declarations } from './declarations.ts'
import { readExamples } from './examples.ts'
import { exportsPage } from './exports-page.ts'
import { metricsPage } from './metrics-page.ts'
import { optionsPage } from './options-page.ts'
import { Schemas } from './schemas.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Makes the reference from the code: pages by their path below `dist/reference`. `types` is the folder of declaration files that
 * `tsc -p src` wrote.
 */
export async function referencePages(types: string): Promise<Map<string, string>> {
  const declarations = new Declarations()
  const schemas = new Schemas((file) =>
    join(repository, 'src', relative(types, file).replace(/\.d\.ts$/, '.ts')),
  )
  const pages = new Map<string, string>()
  for (const { entry, file } of entryPoints())
    pages.set(pageName(entry), exportsPage(entry, join(types, file), declarations, schemas))
  pages.set('options', optionsPage(join(types, 'provider/options.d.ts'), declarations))
  const examples = readExamples()
  for (const [name, load] of Object.entries(commands))
    pages.set(`command-${name}`, commandPage(name, (await load()).command, examples))
  pages.set('metrics', await metricsPage())
  const codes = explanations()
  const isCase = ({ where }: { where: string }) => where.startsWith('a case')
  pages.set(
    'codes',
    codesPage(
      'Codes',
      codes.filter((one) => !isCase(one)),
    ),
  )
  pages.set('cases', codesPage('Cases of purveyor check', codes.filter(isCase)))
  pages.set('README', indexPage(pages))
  return pages
}

export async function writeReference(types: string, to: string): Promise<void> {
  for (const [name, text] of await referencePages(types)) {
    const file = join(to, `${name}.md`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${withContractLinks(text).trimEnd()}\n`)
  }
}

export function entryPoints(): { entry: string; file: string }[] {
  const { name, exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    name: string
    exports: Record<string, string>
  }
  return Object.entries(exports)
    .filter(([, file]) => file.endsWith('.js'))
    .map(([path, file]) => ({
      entry: `${name}${path.slice(1)}`,
      file: file.replace('./dist/', '').replace(/\.js$/, '.d.ts'),
    }))
}

/** The page of our contract that says what a section of the specification says, by its number. */
const sections: Readonly<Record<string, string>> = {
  '1': 'contract',
  '2.1': 'contract#fields-without-data',
  '2.2': 'contract-registration#external-service',
  '2.3': 'contract-registration#charge',
  '2.4': 'contract-objects',
  '2.5': 'contract-rates#shipping-method',
  '2.6': 'contract-payments#payment-method',
  '3.1': 'contract-payments#read-the-status',
  '3.2': 'contract-registration#charge',
  '3.3': 'contract-payments#start-a-payment',
  '4.1': 'contract-registration#the-calls',
  '4.2': 'contract-registration#the-calls',
  '4.3': 'contract#the-calls',
  '5': 'contract-registration',
  '6': 'order-events',
  '7': 'contract#errors',
  '8': 'contract#limits',
}

/** `spec 4.3` as a link, outside of code. */
export const withContractLinks = (page: string): string =>
  page
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(/\bspec (\d(?:\.\d)?)/g, (whole, section: string) => {
            const [name, anchor] = (sections[section] ?? '').split('#')
            return name ? `[contract](../../docs/${name}.md${anchor ? `#${anchor}` : ''})` : whole
          }),
    )
    .join('')

/** `purveyor/rates` has the page `exports-rates`. */
const pageName = (entry: string): string => `exports-${entry.split('/')[1] ?? 'purveyor'}`

const isProblem = (where: string): boolean => where.includes('application/problem+json')

function codesPage(title: string, codes: ReturnType<typeof explanations>): string {
  const places = [...new Set(codes.map(({ where }) => where))]
  const groups = title === 'Codes' ? places : ['']
  return [
    `# ${title}`,
    `\`purveyor explain <code>\` prints one of them.`,
    ...groups.flatMap((place) => [
      `## ${place ? `${place[0]!.toUpperCase()}${place.slice(1)}` : 'All cases'}`,
      ...codes
        .filter(({ where }) => place === '' || where === place)
        .flatMap(({ code, where, why, remedy, onCall = [] }) => [
          `### ${code}`,
          ...(place ? [] : [`${where[0]!.toUpperCase()}${where.slice(1)}.`]),
          why,
          ...(isProblem(where) ? [`The answer has the \`type\` \`${problemType(code)}\`.`] : []),
          `**Remedy:** ${remedy}`,
          ...(onCall.length === 0 ? [] : [`**On call:**\n\n${onCall.map((step) => `- ${step}`).join('\n')}`]),
        ]),
    ]),
  ].join('\n\n')
}

function indexPage(pages: ReadonlyMap<string, string>): string {
  const groups: [string, (name: string) => boolean][] = [
    ['Exports', (name) => name.startsWith('exports-')],
    ['Settings, metrics and codes', (name) => !/^(exports|command)-/.test(name)],
    ['Commands', (name) => name.startsWith('command-')],
  ]
  const titleOf = (text: string) => text.slice(2, text.indexOf('\n'))
  return [
    '# Reference',
    'Made from the code by the build. Each page lists all there is.',
    ...groups.flatMap(([title, isIn]) => [
      `## ${title}`,
      [...pages]
        .filter(([name]) => isIn(name))
        .map(([name, text]) => `- [${titleOf(text)}](${name}.md)`)
        .join('\n'),
    ]),
  ].join('\n\n')
}
