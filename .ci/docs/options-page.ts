import type { Node } from 'oxc-parser'
import type { Declarations, Documented } from './declarations.ts'

interface Option {
  name: string
  type: string
  doc: string
}

/** The options of `createProvider` by their groups, each with its type, default and environment variable. */
export function optionsPage(file: string, declarations: Declarations): string {
  const interfaces = new Map(
    declarations
      .documentationOf(file)
      .flatMap(({ name, declaration }) =>
        declaration?.node.type === 'TSInterfaceDeclaration' ? [[name, declaration] as const] : [],
      ),
  )
  const optionsOf = (name: string, prefix: string): Option[] =>
    membersOf(interfaces.get(name)!).flatMap((node) => optionsIn(file, node, prefix, declarations))
  const top = optionsOf('ProviderOptions', '')
  const groups = [
    { title: 'rates', options: optionsOf('RatesOptions', 'rates.') },
    { title: 'payments', options: optionsOf('PaymentsOptions', 'payments.') },
    { title: 'secret', options: optionsOf('SecretOptions', 'secret.') },
    { title: 'http', options: optionsOf('HttpOptions', 'http.') },
    { title: 'network', options: optionsOf('NetworkOptions', 'network.') },
  ]
  const all = [...top, ...groups.flatMap(({ options }) => options)]
  return [
    '# Options of createProvider',
    'An option that is unknown or out of range is refused with its name: `createProvider` throws `CONFIGURATION_INVALID`, with a line for each fault. An option wins over its environment variable.',
    '## The provider',
    ...top.flatMap(shown),
    ...groups.flatMap(({ title, options }) => [`## Group: ${title}`, ...options.flatMap(shown)]),
    '## Environment variables',
    [
      '| variable | option |',
      '| --- | --- |',
      ...all
        .flatMap(({ name, doc }) =>
          [...doc.matchAll(/`((?:PURVEYOR_)?[A-Z][A-Z_]+)`/g)].map(([, variable]) => [variable!, name]),
        )
        .filter(([variable]) => /^PURVEYOR_|^PORT$|^NODE_ENV$/.test(variable!))
        .map(([variable, name]) => `| \`${variable}\` | \`${name}\` |`),
    ].join('\n'),
  ].join('\n\n')
}

const shown = ({ name, type, doc }: Option): string[] => [`### ${name}`, `\`\`\`ts\n${type}\n\`\`\``, doc]

const membersOf = ({ node }: Documented): Node[] =>
  node.type === 'TSInterfaceDeclaration' ? node.body.body : []

function optionsIn(file: string, node: Node, prefix: string, declarations: Declarations): Option[] {
  if (node.type !== 'TSPropertySignature' || node.key.type !== 'Identifier') return []
  const { text, doc } = declarations.documented(file, node)
  const name = `${prefix}${node.key.name}`
  const type = node.typeAnnotation?.typeAnnotation
  if (type?.type === 'TSTypeLiteral')
    return type.members
      .flatMap((one) => optionsIn(file, one, `${name}.`, declarations))
      .map((one) => ({ ...one, doc: `${one.doc} ${doc}`.trim() }))
  return [{ name, type: text.replace(/\s+/g, ' ').replace(/;$/, ''), doc }]
}
