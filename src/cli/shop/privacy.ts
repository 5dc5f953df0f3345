import type { AdapterPrivacy, PrivacyStatement } from '../../use-cases/shops/privacy-statement.ts'

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

const inFull = (resources: readonly string[]): string =>
  `The platform sends it ${resources.join(' and ')} in full when they change, with names and addresses`

export const privacyText = ({ shop, adapters, resources, kept, never }: PrivacyStatement): string[] => [
  `This provider sees this data of the customers of shop ${shop}`,
  ...adapters.flatMap((one) => [
    '',
    `${one.adapter}, ${one.purpose}`,
    `  ${fieldsOf(one)}`,
    `  ${recipientOf(one)}`,
  ]),
  ...(resources.length === 0 ? [] : ['', inFull(resources)]),
  '',
  'It keeps',
  ...(kept.length === 0 ? ['  nothing'] : kept.map(({ what, days }) => `  ${days} days: ${what}`)),
  '',
  'It neither keeps nor hands on',
  ...never.map((one) => `  ${one}`),
]

export const privacyMarkdown = ({ shop, adapters, resources, kept, never }: PrivacyStatement): string[] => [
  `## Personal data passed to our checkout provider (shop ${shop})`,
  '',
  '| part | purpose | personal data | recipient |',
  '| --- | --- | --- | --- |',
  ...adapters.map(
    (one) => `| ${[one.adapter, one.purpose, fieldsOf(one), recipientOf(one)].map(inCell).join(' | ')} |`,
  ),
  ...(resources.length === 0 ? [] : ['', `${inFull(resources)}.`]),
  '',
  '### Kept',
  '',
  ...(kept.length === 0 ? ['- nothing'] : kept.map(({ what, days }) => `- ${days} days: ${what}`)),
  '',
  '### Neither kept nor handed on',
  '',
  ...never.map((one) => `- ${one}`),
]

const inCell = (text: string): string => text.replaceAll('|', '\\|')
