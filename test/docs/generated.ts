// `node test/docs/generated.ts`: writes the lists of alerts and anomalies in docs/on-call.md, and docs/glossary.md from ARCHITECTURE.md and the words of the field.
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { alerts } from '../../src/cli/explain/explain.ts'
import { anomalyKinds } from '../../src/payments/ledger/anomalies.ts'
import { glossary } from '../glossary.ts'
import { fieldWords } from './field-words.ts'

const root = new URL('../../', import.meta.url)

interface Rule {
  alert: string
  labels: { severity: 'page' | 'ticket' }
}

const rules = (): Rule[] =>
  parse(readFileSync(new URL('docs/monitoring/prometheus-rules.yml', root), 'utf8')).groups[0].rules

/** Fills lines of text up to 128 characters. Code is not broken. */
function filled(text: string): string {
  const lines: string[] = ['']
  for (const word of text.match(/`[^`]*`\S*|\S+/g) ?? []) {
    const line = lines.at(-1)!
    if (line !== '' && line.length + 1 + word.length > 128) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}

const item = (text: string) => `- ${filled(text).replaceAll('\n', '\n  ')}`

/** The first sentence of a text, without the rest of it after a colon. */
const start = (text: string): string => text.split(/(?<=\.) /)[0]!.replace(/: .*/, '.')

const alertsOf = (severity: Rule['labels']['severity']): string[] =>
  rules()
    .filter(({ labels }) => labels.severity === severity)
    .map(({ alert }) =>
      item(`\`${alert}\`: ${start(alerts[alert]?.remedy ?? '?').replace(/^Run (`[^`]*`)\.$/, '$1')}`),
    )

/** The page says once that a person closes them. */
const anomalyItems = Object.entries(anomalyKinds).map(([kind, { remedy }]) =>
  item(
    `\`${kind}\`: ${remedy.replace(/,? then close it\.| Then close it\./i, (end) => (end.startsWith(' ') ? '' : '.'))}`,
  ),
)

/** docs/on-call.md with its lists. People write the rest. */
function onCallPage(): string {
  const lists = {
    'Alerts that wake a person': alertsOf('page'),
    'Alerts for the working day': alertsOf('ticket'),
    'Kinds of anomaly': anomalyItems,
  }
  let page = readFileSync(new URL('docs/on-call.md', root), 'utf8')
  for (const [heading, items] of Object.entries(lists)) {
    const section = new RegExp(`(^### ${heading}\\n\\n)[\\s\\S]*?(?=^#|(?![\\s\\S]))`, 'm')
    page = page.replace(section, (_, title) => `${title}${items.join('\n')}\n\n`)
  }
  return `${page.trimEnd()}\n`
}

/** Words that only the code uses, and those that everybody knows. */
const unneeded =
  'workings claim hold remedy case merchant customer doctor sandbox need scenario report estimate platform'
    .split(' ')
    .concat('rate adapter', 'payment adapter')

function glossaryPage(): string {
  const words = glossary.filter(({ word }) => !unneeded.includes(word))
  return `# Glossary

One word means one thing in code, commands, logs and metrics.

${words.map(({ word, meaning }) => item(`**${word}**: ${meaning}`)).join('\n')}
${fieldWords.map(([word, meaning]) => item(`**${word}**: ${meaning}`)).join('\n')}

## Next

- [Start](start.md), [The contract](contract.md)
`
}

/** The pages that are made from one source, by their path. */
export const generated = {
  'docs/on-call.md': onCallPage,
  'docs/glossary.md': glossaryPage,
}

if (process.argv[1] === import.meta.filename)
  for (const [path, page] of Object.entries(generated)) writeFileSync(new URL(path, root), page())
