// `node test/docs/generated.ts`: writes the rules into docs/alerts.md, whose words people write, and docs/glossary.md from ARCHITECTURE.md and the words of the field.
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { alerts } from '../../src/cli/explain/explain.ts'
import { anomalyKinds } from '../../src/payments/ledger/anomalies.ts'
import { glossary } from '../glossary.ts'
import { fieldWords } from './field-words.ts'

const root = new URL('../../', import.meta.url)

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: 'page' | 'ticket' }
  annotations: { summary: string }
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

function alertsPage(): string {
  const texts = alerts()
  const sections = rules().map(({ alert, expr, for: since, labels, annotations }) => {
    const { why, remedy } = texts[alert] ?? { why: '?', remedy: '?' }
    const after = since ? ` for ${since.replace('m', ' min').replace('h', ' h')}` : ''
    return `## ${alert}

${filled(`${annotations.summary.replace(/: \{\{.*$/, '')}. Fires as \`${labels.severity}\` on \`${expr}\`${after}.`)}

${item(`Means: ${why}`)}
${item(`Do: ${remedy}`)}
`
  })
  return `# Alerts

${filled('Each alert of `docs/monitoring/prometheus-rules.yml` has a section: what it means, when it fires, what to look at and what to do. `page` wakes a person, `ticket` waits for the working day. `purveyor explain <alert>` prints the same in a terminal.')}

${sections.join('\n')}
## Next

- [Anomalies](anomalies.md): what to do about each kind
- [On call](on-call.md): which command answers which question
- [Watch it](metrics.md): the metrics
`
}

function anomaliesPage(): string {
  const sections = Object.entries(anomalyKinds).map(
    ([kind, { why, remedy }]) => `## ${kind}\n\n${filled(why)}\n\n${filled(`To do: ${remedy}`)}\n`,
  )
  return `# Anomalies

${filled('An anomaly is something about a payment that needs a person. Money may be at stake. It is of one event: closing it mutes no other. A person closes it; `disputed` ends with its dispute. `purveyor payments anomalies` lists the open ones, one line per cause, and `purveyor payments show <order>` shows what happened.')}

${sections.join('\n')}
## Next

- [On call](on-call.md#what-needs-review): the commands that close them
- [Alerts](alerts.md)
`
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
  'docs/alerts.md': alertsPage,
  'docs/anomalies.md': anomaliesPage,
  'docs/glossary.md': glossaryPage,
}

if (process.argv[1] === import.meta.filename)
  for (const [path, page] of Object.entries(generated)) writeFileSync(new URL(path, root), page())
