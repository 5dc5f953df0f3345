import { type Node, parseSync, visitorKeys } from 'oxc-parser'

/** One small change to a source file that some test must catch. */
export interface Mutant {
  /** From the root of the repository, such as `src/money/amount.ts`. */
  file: string
  line: number
  kind: string
  /** The part of the text that is replaced, as offsets. */
  start: number
  end: number
  after: string
  /** The named function that holds it. Not set where it runs as the file is loaded. */
  within: string | undefined
}

type Place = Pick<Mutant, 'start' | 'end'>
type Text = (place: Place) => string
type Change = Pick<Mutant, 'kind' | 'after'> & { at: Place }

type Operation = Extract<Node, { left: Node; right: Node; operator: string }>
type Rules = { [T in Node['type']]?: (node: Extract<Node, { type: T }>, text: Text) => Change[] }

/** The replacements of each operator. */
const operators: Record<string, string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '??=': ['='],
  '||=': ['&&='],
}

/** Methods that are called in place of others; `undefined` where the call is left out and its object stays. */
const methods: Record<string, string | undefined> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  filter: undefined,
  slice: undefined,
  trim: undefined,
  toSorted: undefined,
  toReversed: undefined,
}

const isText = (node: Node): boolean =>
  (node.type === 'Literal' && typeof node.value === 'string') || node.type === 'TemplateLiteral'

/** The operator alone, which stands between the two sides. */
function operator(kind: string, node: Operation, text: Text): Change[] {
  const { left, right, operator: sign } = node
  if (sign.startsWith('+') && (isText(left) || isText(right))) return []
  const start = left.end + text({ start: left.end, end: right.start }).indexOf(sign)
  const at = { start, end: start + sign.length }
  return (operators[sign] ?? []).map((after) => ({ kind, at, after }))
}

const condition = (test: Node, text: Text, loop: boolean): Change[] => [
  ...(loop ? [] : [{ kind: 'condition', at: test, after: 'true' }]),
  { kind: 'condition', at: test, after: 'false' },
  // A comparison has its own opposite, and `!` is taken away below.
  ...(loop || test.type === 'BinaryExpression' || test.type === 'UnaryExpression'
    ? []
    : [{ kind: 'condition', at: test, after: `!(${text(test)})` }]),
]

const isCall = (node: Node): boolean =>
  node.type === 'CallExpression' ||
  (node.type === 'AwaitExpression' && isCall(node.argument)) ||
  (node.type === 'UnaryExpression' && node.operator === 'void' && isCall(node.argument)) ||
  (node.type === 'ChainExpression' && isCall(node.expression))

/** Whether an emptied block would be the same as what is done to its one statement. */
const isMutatedWithin = ({ body: [first, ...others] }: { body: Node[] }): boolean =>
  !first ||
  (others.length === 0 &&
    (first.type === 'ReturnStatement' || (first.type === 'ExpressionStatement' && isCall(first.expression))))

const rules: Rules = {
  BinaryExpression: (node, text) => operator('operator', node, text),
  LogicalExpression: (node, text) => operator('operator', node, text),
  AssignmentExpression: (node, text) => operator('assignment', node, text),
  IfStatement: ({ test }, text) => condition(test, text, false),
  ConditionalExpression: ({ test }, text) => condition(test, text, false),
  WhileStatement: ({ test }, text) => condition(test, text, true),
  ForStatement: ({ test }, text) => (test ? condition(test, text, true) : []),
  UpdateExpression: (node, text) => [
    {
      kind: 'update',
      at: node,
      after: text(node).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')),
    },
  ],
  UnaryExpression: (node, text) =>
    node.operator === '!' || node.operator === '-'
      ? [{ kind: 'sign', at: node, after: text(node.argument) }]
      : [],
  Literal: (node) => {
    if (typeof node.value === 'boolean') return [{ kind: 'boolean', at: node, after: String(!node.value) }]
    if (typeof node.value === 'string')
      return [{ kind: 'text', at: node, after: node.value === '' ? "'mutated'" : "''" }]
    if (!('regex' in node)) return []
    // A pattern that no longer holds on to where the text begins or ends.
    const { raw } = node
    const anchors: [RegExp, string][] = [
      [/^\/\^/, '/'],
      [/\$\/([a-z]*)$/, '/$1'],
    ]
    return anchors
      .filter(([anchor]) => anchor.test(raw!))
      .map(([anchor, without]) => ({ kind: 'pattern', at: node, after: raw!.replace(anchor, without) }))
  },
  TemplateLiteral: (node) => [{ kind: 'text', at: node, after: '``' }],
  ArrayExpression: (node) => [
    { kind: 'list', at: node, after: node.elements.length === 0 ? "['mutated']" : '[]' },
  ],
  ObjectExpression: (node) =>
    node.properties.length === 0 ? [] : [{ kind: 'object', at: node, after: '({})' }],
  AwaitExpression: (node, text) => [{ kind: 'await', at: node, after: text(node.argument) }],
  ExpressionStatement: (node) => (isCall(node.expression) ? [{ kind: 'call', at: node, after: ';' }] : []),
  BlockStatement: (node) => (isMutatedWithin(node) ? [] : [{ kind: 'block', at: node, after: '{}' }]),
  ReturnStatement: (node) => (node.argument ? [{ kind: 'return', at: node, after: 'return undefined' }] : []),
  ArrowFunctionExpression: ({ body }) =>
    body.type === 'BlockStatement' ? [] : [{ kind: 'return', at: body, after: 'undefined' }],
  MemberExpression: (node, text) => {
    if (!node.optional) return []
    const start = node.object.end
    const at = { start, end: start + text({ start, end: node.end }).indexOf('?.') + 2 }
    return [{ kind: 'optional', at, after: node.computed ? '' : '.' }]
  },
  CallExpression: (node, text) => {
    const { callee } = node
    if (callee.type !== 'MemberExpression' || callee.computed) return []
    const name = text(callee.property)
    if (!Object.hasOwn(methods, name)) return []
    const other = methods[name]
    if (other !== undefined) return [{ kind: 'method', at: callee.property, after: other }]
    return [{ kind: 'method', at: node, after: text(callee.object) }]
  },
}

/** Texts that are no values: names of keys, of modules and of members. */
const isName = (node: Node, parent: Node): boolean =>
  node.type === 'Literal' &&
  ((/^(Property|MethodDefinition|PropertyDefinition)$/.test(parent.type) &&
    'key' in parent &&
    parent.key === node &&
    !('computed' in parent && parent.computed)) ||
    parent.type === 'ImportExpression')

const isOnlyType = (node: Node): boolean =>
  (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type)) ||
  node.type === 'ImportDeclaration' ||
  node.type === 'ExportAllDeclaration' ||
  (node.type === 'ExportNamedDeclaration' && node.source !== null)

/** The engine's name of the function in this node. */
function nameOf(node: Node, parent: Node | undefined, text: Text): string | undefined {
  if (node.type === 'FunctionDeclaration') return node.id?.name
  if (node.type !== 'ArrowFunctionExpression' && node.type !== 'FunctionExpression') return undefined
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name
  if (parent?.type === 'Property' || parent?.type === 'PropertyDefinition') return text(parent.key)
  if (parent?.type !== 'MethodDefinition') return undefined
  if (parent.kind === 'constructor') return undefined
  return (parent.kind === 'method' ? '' : `${parent.kind} `) + text(parent.key)
}

/** Every mutant of a file, in the order of its text. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parse(file, source)
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const text: Text = ({ start, end }) => source.slice(start, end)
  const found: Mutant[] = []

  function look(node: Node, parent: Node | undefined, outer: string | undefined): void {
    if (isOnlyType(node) || (parent && isName(node, parent))) return
    const rule = rules[node.type] as ((one: Node, of: Text) => Change[]) | undefined
    const within = nameOf(node, parent, text) ?? outer
    for (const { kind, at, after } of rule?.(node, text) ?? []) {
      const line = source.slice(0, at.start).split('\n').length
      found.push({ file, line, kind, start: at.start, end: at.end, after, within })
    }
    for (const key of visitorKeys[node.type] ?? []) {
      const below = (node as unknown as Record<string, Node | (Node | null)[] | null>)[key]
      for (const one of [below].flat()) if (one) look(one, node, within)
    }
  }

  look(program, undefined, undefined)
  // Some operators cannot stand beside each other: what is no code is no mutant.
  return found
    .filter((mutant) => parse(file, mutated(source, mutant)).errors.length === 0)
    .sort((one, other) => one.start - other.start)
}

const parse = (file: string, source: string) => parseSync(file, source, { lang: 'ts', preserveParens: false })

/** The text of the file with the mutant in it. */
export const mutated = (source: string, { start, end, after }: Mutant): string =>
  source.slice(0, start) + after + source.slice(end)

/** The lines of a mutant before and after, with one blank for each gap. */
export function linesOf(source: string, mutant: Mutant): { before: string; after: string } {
  const changed = mutated(source, mutant)
  const from = source.lastIndexOf('\n', mutant.start - 1) + 1
  const lineEnd = source.indexOf('\n', mutant.end)
  const rest = source.length - (lineEnd < 0 ? source.length : lineEnd)
  const flat = (text: string) => text.replace(/\s+/g, ' ').trim()
  return {
    before: flat(source.slice(from, source.length - rest)),
    after: flat(changed.slice(from, changed.length - rest)),
  }
}
