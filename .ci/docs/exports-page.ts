import type { Node } from 'oxc-parser'
import type { Declarations, Documented, Exported, Member } from './declarations.ts'
import type { Schemas } from './schemas.ts'

/** The page of an entry point: what it exports, values first, each with its declaration, docstring and members. */
export function exportsPage(
  entry: string,
  file: string,
  declarations: Declarations,
  schemas: Schemas,
): string {
  const all = declarations
    .documentationOf(file)
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
  const sections = (wanted: Exported[], title: string): string[] =>
    wanted.length === 0
      ? []
      : [`## ${title}`, ...wanted.flatMap((one) => section(one, declarations, schemas))]
  return [
    `# ${entry}`,
    `All names of \`import { ... } from '${entry}'\`.`,
    ...sections(
      all.filter(({ isValue }) => isValue),
      'Values',
    ),
    ...sections(
      all.filter(({ isValue }) => !isValue),
      'Types',
    ),
  ].join('\n\n')
}

/** A first user needs these. */
const first = [
  'createProvider',
  'rateAdapter',
  'paymentAdapter',
  'price',
  'ProviderOptions',
  'RateAdapter',
  'PaymentAdapter',
]

const sortKey = ({ name }: Exported): string => {
  const place = first.indexOf(name)
  return place < 0 ? name.toLowerCase() : ` ${place}`
}

function section({ name, declaration }: Exported, declarations: Declarations, schemas: Schemas): string[] {
  if (!declaration) return [`### ${name}`, 'Passed on from the package that declares it.']
  const fields = /\bz\.|\bZod/.test(declaration.text) ? schemas.fieldsOf(declaration.file, name) : []
  return [
    `### ${name}`,
    `\`\`\`ts\n${headOf(declaration)}\n\`\`\``,
    ...(declaration.doc ? [declaration.doc] : []),
    ...wordsIn(declaration, declarations),
    ...listed(
      membersOf(declaration, declarations).flatMap((one) => member(one.file, one.node, declarations)),
    ),
    ...listed(
      fields.map(({ name: field, schema, doc }) => `- \`${field}\`: ${withDoc(schemaText(schema), doc)}`),
    ),
  ]
}

/** The words of `(typeof words)[number]` and of `keyof typeof table`. */
function wordsIn({ file, text }: Documented, declarations: Declarations): string[] {
  const [, list, table] = /= (?:\(typeof (\w+)\)\[number\]|keyof typeof (\w+)\b)/.exec(text) ?? []
  const name = list ?? table
  const words = name === undefined ? [] : declarations.wordsOf(file, name)
  return words.length === 0 ? [] : [`One of ${words.map((word) => `\`${word}\``).join(', ')}.`]
}

const listed = (lines: readonly string[]): string[] => (lines.length === 0 ? [] : [lines.join('\n')])

/** A declaration without the body that the list of members shows. */
function headOf({ node, text }: Documented): string {
  const body = bodyOf(node)
  const head = body ? `${text.slice(0, body.start - node.start).trimEnd()} { ... }` : text
  const plain = head
    .replace(/\/\*\*[\s\S]*?\*\/\s*/g, '')
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replace(/;$/, '')
  // A schema's own type is longer than a page; its fields are listed below.
  return plain.replace(/: z\.Zod[\s\S]*$/, ': ZodType')
}

function bodyOf(node: Node): Node | undefined {
  if (node.type === 'TSInterfaceDeclaration' || node.type === 'ClassDeclaration') return node.body
  return node.type === 'TSTypeAliasDeclaration' && node.typeAnnotation.type === 'TSTypeLiteral'
    ? node.typeAnnotation
    : undefined
}

function membersOf({ file, node }: Member, declarations: Declarations): Member[] {
  const own = (nodes: readonly Node[]) => nodes.map((one) => ({ file, node: one }))
  if (node.type === 'TSInterfaceDeclaration' || node.type === 'ClassDeclaration')
    return own(node.body.body as Node[])
  if (node.type === 'TSTypeAliasDeclaration')
    return membersOf({ file, node: node.typeAnnotation }, declarations)
  if (node.type === 'TSIntersectionType')
    return node.types.flatMap((one) => membersOf({ file, node: one }, declarations))
  return node.type === 'TSTypeLiteral' ? own(node.members) : declarations.left(file, node)
}

/** A member as one line of a list; members below it are indented. */
function member(file: string, node: Node, declarations: Declarations, indent = ''): string[] {
  if ('accessibility' in node && node.accessibility === 'private') return []
  if ('key' in node && node.key?.type === 'PrivateIdentifier') return []
  const { text, doc } = declarations.documented(file, node)
  const type = 'typeAnnotation' in node ? (node.typeAnnotation as Node | null) : null
  const literal = type?.type === 'TSTypeAnnotation' ? type.typeAnnotation : undefined
  const below = literal?.type === 'TSTypeLiteral' ? literal.members : []
  const head = below.length > 0 ? `${text.slice(0, literal!.start - node.start)}{ ... }` : text
  return [
    `${indent}- ${withDoc(`\`${oneLine(head)}\``, doc)}`,
    ...below.flatMap((one) => member(file, one, declarations, `${indent}  `)),
  ]
}

const withDoc = (head: string, doc: string): string => (doc ? `${head}. ${doc.replace(/\n+/g, ' ')}` : head)

const oneLine = (text: string): string =>
  text
    .replace(/\/\*\*[\s\S]*?\*\/\s*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/;$/, '')
    .replaceAll('`', "'")

/** A zod schema in short: its kind, range and default. */
function schemaText(schema: string): string {
  const [, how, inner] = /^(optional|required)\((.*)\)$/.exec(schema) ?? []
  if (how && inner) return `${schemaText(inner)}${how === 'optional' ? ', optional' : ''}`
  const [, kind = ''] = /^z\.(\w+)\(/.exec(schema) ?? []
  const options = kind === 'enum' ? /\[([^\]]*)\]/.exec(schema)?.[1]?.replaceAll("'", '') : undefined
  const known = options ?? kinds[kind] ?? kinds[schema.replace(/\(.*$|\.(?:optional|max|min)\(.*$/, '')]
  const notes = [
    known ?? `\`${schema.replace(/\.(?:optional\(\)|default\([^)]*\))/g, '').replaceAll('`', "'")}\``,
    ...[...schema.matchAll(/\.(min|max)\(([^)]*)\)/g)].map(([, limit, value]) =>
      known === undefined ? undefined : `${limit} ${value}`,
    ),
    /\.default\(([^)]*)\)/.exec(schema)?.[1]?.replace(/^/, 'default '),
    /\.optional\(\)/.test(schema) ? 'optional' : undefined,
  ]
  return notes.filter((note) => note !== undefined).join(', ')
}

/** What zod's own kinds, and the readers of `src/contract/values.ts`, give. */
const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  boolean: '`true` or `false`',
  array: 'list',
  amount: 'decimal text',
  quantity: 'number',
  text: 'text',
  flag: '`true` or `false`',
  instant: 'time',
  'wire.flag': '`true`, `false`, 0 or 1',
  'wire.decimal': 'decimal',
  'wire.decimalFromZero': 'decimal, 0 or more',
  'wire.identifier': 'text or whole number',
}
