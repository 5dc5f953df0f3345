import type { AdapterPrivacy, PrivacyStatement } from '../../shops/privacy-statement.ts'

/** `customer.email` as a merchant reads it. */
function plainField(field: string): string {
  const [part = '', name = ''] = field.split('.')
  return `${part.replace('_', ' ')}: ${name.replace('_', ' ')}`
}

const fieldsOf = ({ fields }: AdapterPrivacy): string =>
  fields.length === 0 ? 'no personal data' : fields.map(plainField).join(', ')

function recipientOf({ recipient, keptFor, privateNetwork }: AdapterPrivacy): string {
  const goes =
    recipient === undefined
      ? 'stays with this provider, unless its adapter says otherwise'
      : `handed to ${recipient}${keptFor === undefined ? '' : `, which keeps it for ${keptFor}`}`
  return privateNetwork.length === 0
    ? goes
    : `${goes}; its adapter can call ${privateNetwork.join(', ')} in the network of this provider`
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

/** The statement as lines of text, or of Markdown. */
export function privacyLines(statement: PrivacyStatement, markdown = false): string[] {
  const { shop, adapters, resources, kept, never } = statement
  const full = `The platform sends it ${resources.join(' and ')} in full when they change, with names and addresses`
  const list = (text: string, title: string, lines: readonly string[]) =>
    markdown ? ['', `### ${title}`, '', ...lines.map((line) => `- ${line}`)] : ['', text, ...indented(lines)]
  const rows = adapters.map((one) => [one.adapter, one.purpose, fieldsOf(one), recipientOf(one)])
  const lasting = kept.map(({ what, days }) => `${days} days: ${what}`)
  return [
    ...(markdown
      ? [
          ...[`## Personal data passed to our checkout provider (shop ${shop})`, ''],
          ...['| part | purpose | personal data | recipient |', '| --- | --- | --- | --- |'],
          ...rows.map((cells) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`),
        ]
      : [
          `This provider sees this data of the customers of shop ${shop}`,
          ...rows.flatMap(([name, ...more]) => ['', `${name}, ${more[0]}`, ...indented(more.slice(1))]),
        ]),
    ...(resources.length === 0 ? [] : ['', markdown ? `${full}.` : full]),
    ...list('It keeps', 'Kept', kept.length === 0 ? ['nothing'] : lasting),
    ...list('It neither keeps nor hands on', 'Neither kept nor handed on', never),
  ]
}
