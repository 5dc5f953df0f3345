import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Comment, type Node, parseSync, visitorKeys } from 'oxc-parser'

/** A name that a file gives away or takes in, and where it comes from. */
interface Source {
  /** Not set for a name of the file itself. */
  from: string | undefined
  name: string
  /** The members that are picked of it; not set for the whole. */
  picked?: ReadonlySet<string>
}

interface Declared {
  node: Node
  isValue: boolean
}

interface Module {
  text: string
  comments: readonly Comment[]
  declared: Map<string, Declared>
  imported: Map<string, Source>
  exported: Map<string, Source & { isType: boolean }>
}

export interface Exports {
  values: string[]
  types: string[]
  /** Types of our own that a declaration mentions and the entry does not export, such as `Provider -> StopOptions`. */
  missing: string[]
}

/** An export of an entry point with its docstring. */
export interface Exported {
  name: string
  isValue: boolean
  /** Where it is declared; not set for what a package declares. */
  declaration?: Documented
}

/** A member with the file that declares it. */
export interface Member {
  file: string
  node: Node
}

/** A declaration, or a member of one. */
export interface Documented {
  file: string
  node: Node
  /** Without `export` and `declare`, as tsc wrote it. */
  text: string
  doc: string
}

/** Reads the exports of entry points from the declaration files that tsc writes. */
export class Declarations {
  readonly #modules = new Map<string, Module>()

  /** A type that one of the entry points `elsewhere` exports is not missing. */
  exportsOf(file: string, elsewhere: readonly string[] = []): Exports {
    const names = [...this.#module(file).exported].map(([name, source]) => {
      const at = this.#declarationOf(file, source)
      const isValue = !source.isType && (at?.declared.isValue ?? true)
      return { name, at, isValue }
    })
    const exported = new Set(
      [file, ...elsewhere].flatMap((entry) =>
        [...this.#module(entry).exported.values()].map(
          (source) => this.#declarationOf(entry, source)?.declared,
        ),
      ),
    )
    const missing = names.flatMap(({ name, at }) =>
      at
        ? this.#mentioned(at).flatMap((one) => (exported.has(one.declared) ? [] : [`${name} -> ${one.name}`]))
        : [],
    )
    const namesOf = (isValue: boolean) =>
      names.flatMap((one) => (one.isValue === isValue ? [one.name] : [])).sort()
    return { values: namesOf(true), types: namesOf(false), missing: [...new Set(missing)].sort() }
  }

  /** The exports of an entry point, each with its text and docstring. */
  documentationOf(file: string): Exported[] {
    return [...this.#module(file).exported].map(([name, source]) => {
      const at = this.#declarationOf(file, source)
      if (!at) return { name, isValue: !source.isType }
      const { node, isValue } = at.declared
      return { name, isValue: isValue && !source.isType, declaration: this.documented(at.file, node) }
    })
  }

  /** The words of a constant list, or the keys of a constant object, that a file knows by this name. */
  wordsOf(file: string, name: string): string[] {
    const at = this.#declarationOf(file, { from: undefined, name })
    if (at?.declared.node.type !== 'VariableDeclaration') return []
    const declarator = at.declared.node.declarations.find(({ id }) => 'name' in id && id.name === at.name)
    const annotation = declarator?.id.typeAnnotation?.typeAnnotation
    const type = annotation?.type === 'TSTypeOperator' ? annotation.typeAnnotation : annotation
    if (type?.type === 'TSTupleType') return type.elementTypes.flatMap((one) => literalOf(one) ?? [])
    const members = type?.type === 'TSTypeLiteral' ? type.members : []
    return members.flatMap((one) => ('key' in one ? keyOf(one.key as Node) : []))
  }

  /** The members that `Pick` or `Omit` leaves of a type of our own, each with its file. */
  left(file: string, node: Node): Member[] {
    const picked = pickedIn(node)
    const [source] = picked ?? []
    const at = source && this.#declarationOf(file, source)
    const body = at && 'body' in at.declared.node ? at.declared.node.body : undefined
    const members = body && 'body' in body ? (body.body as Node[]) : []
    return members.flatMap((member) =>
      'key' in member && source!.picked!.has(keyOf(member.key as Node))
        ? { file: at!.file, node: member }
        : [],
    )
  }

  /** A node of a file with its text and the docstring before it. */
  documented(file: string, node: Node): Documented {
    const { text } = this.#module(file)
    return { file, node, text: text.slice(node.start, node.end), doc: this.#docBefore(file, node.start) }
  }

  /** The docstring that ends where the node begins, in one paragraph per paragraph. */
  #docBefore(file: string, start: number): string {
    const { text, comments } = this.#module(file)
    const comment = comments.findLast(
      ({ type, end, value }) => end <= start && type === 'Block' && value.startsWith('*'),
    )
    const isBefore = comment && /^\s*(?:export )?(?:declare )?$/.test(text.slice(comment.end, start))
    return isBefore ? docText(comment.value) : ''
  }

  /** Follows imports to where a name is declared; `undefined` where that is in a package, or nowhere. */
  #declarationOf(file: string, { from, name }: Source): Place | undefined {
    if (from !== undefined) {
      if (!from.startsWith('.')) return undefined
      const to = pathOf(file, from)
      const source = this.#module(to).exported.get(name)
      return source && this.#declarationOf(to, source)
    }
    const { declared, imported } = this.#module(file)
    const source = imported.get(name)
    if (source) return this.#declarationOf(file, source)
    const found = declared.get(name)
    return found && { file, name, declared: found }
  }

  /** The types of our own that a declaration names. */
  #mentioned({ file, declared }: Place): Place[] {
    return this.#found(file, sourcesIn(declared.node))
  }

  /** Members that are picked show what they are made of, and not the type that they are picked from. */
  #found(file: string, sources: readonly Source[]): Place[] {
    return sources.flatMap((source) => {
      const at = this.#declarationOf(file, source)
      if (at && this.#isShorthand(at)) return this.#found(at.file, sourcesIn(at.declared.node))
      if (!at || !source.picked) return at ?? []
      const { node } = at.declared
      const members: readonly Node[] =
        'body' in node && node.body && 'body' in node.body ? (node.body.body as Node[]) : []
      const picked = members.filter(
        (member) => 'key' in member && source.picked!.has(keyOf(member.key as Node)),
      )
      return picked.length === source.picked.size ? this.#found(at.file, picked.flatMap(sourcesIn)) : at
    })
  }

  /** An alias that its own file keeps to itself stands for what it is made of. */
  #isShorthand({ file, name, declared }: Place): boolean {
    const { exported } = this.#module(file)
    return declared.node.type === 'TSTypeAliasDeclaration' && !exported.has(name)
  }

  #module(file: string): Module {
    const module = this.#modules.get(file) ?? read(file, (other) => this.#module(other))
    this.#modules.set(file, module)
    return module
  }
}

interface Place {
  file: string
  name: string
  declared: Declared
}

/** The declarations that a file imports by a relative path. */
const pathOf = (file: string, from: string) => join(dirname(file), from.replace(/\.[jt]s$/, '.d.ts'))

function read(file: string, moduleOf: (file: string) => Module): Module {
  if (!existsSync(file)) throw new Error(`${file} is not there: tsc wrote no declarations for it`)
  const text = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, text)
  const module: Module = { text, comments, declared: new Map(), imported: new Map(), exported: new Map() }
  const declare = (node: Node, isExported: boolean) => {
    for (const { name, isValue } of namesOf(node)) {
      const before = module.declared.get(name)
      if (!before || isValue) module.declared.set(name, { node, isValue })
      if (isExported) module.exported.set(name, { from: undefined, name, isType: !isValue })
    }
  }
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      for (const one of node.specifiers) {
        const name = one.type === 'ImportSpecifier' ? nameOf(one.imported) : one.local.name
        module.imported.set(one.local.name, { from: node.source.value, name })
      }
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node.declaration) declare(node.declaration, true)
      for (const { local, exported, exportKind } of node.specifiers) {
        const isType = node.exportKind === 'type' || exportKind === 'type'
        module.exported.set(nameOf(exported), { from: node.source?.value, name: nameOf(local), isType })
      }
    } else if (node.type === 'ExportAllDeclaration' && !node.exported) {
      const isType = node.exportKind === 'type'
      for (const [name, source] of moduleOf(pathOf(file, node.source.value)).exported)
        module.exported.set(name, { from: node.source.value, name, isType: isType || source.isType })
    } else if (node.type === 'ExportAllDeclaration' || node.type === 'ExportDefaultDeclaration') {
      throw new Error(`${file} exports something without its name`)
    } else declare(node, false)
  }
  return module
}

/** Lines of a paragraph are one; lists keep their lines. */
export const docText = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim()
    .replace(/(?<!\n)\n(?![\n-])/g, ' ')

function namesOf(node: Node): { name: string; isValue: boolean }[] {
  switch (node.type) {
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return [{ name: node.id.name, isValue: false }]
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) =>
        id.type === 'Identifier' ? [{ name: id.name, isValue: true }] : [],
      )
    case 'ClassDeclaration':
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return node.id ? [{ name: node.id.name, isValue: true }] : []
    default:
      return []
  }
}

/** The names of types in a declaration. What is private in a class counts for nothing. */
function sourcesIn(node: Node): Source[] {
  if ('accessibility' in node && node.accessibility === 'private') return []
  const picked = pickedIn(node)
  if (picked) return picked
  const own: Source[] = []
  if (node.type === 'TSTypeReference') own.push(...leftmost(node.typeName))
  if (node.type === 'TSInterfaceHeritage' || node.type === 'TSClassImplements')
    own.push(...leftmost(node.expression))
  if (node.type === 'ClassDeclaration' && node.superClass) own.push(...leftmost(node.superClass))
  if (node.type === 'TSImportType' && node.qualifier)
    own.push(...leftmost(node.qualifier).map(({ name }) => ({ from: String(node.source.value), name })))
  const parts = visitorKeys[node.type]!.flatMap((key) => (node as unknown as Record<string, unknown>)[key])
  return [...own, ...parts.flatMap((part) => (part ? sourcesIn(part as Node) : []))]
}

/** What `Pick<Of, 'a' | 'b'>` names. */
function pickedIn(node: Node): Source[] | undefined {
  if (node.type !== 'TSTypeReference' && node.type !== 'TSInterfaceHeritage') return undefined
  const name = node.type === 'TSTypeReference' ? node.typeName : node.expression
  const [of, keys] = node.typeArguments?.params ?? []
  if (name.type !== 'Identifier' || name.name !== 'Pick' || of?.type !== 'TSTypeReference' || !keys)
    return undefined
  const literals = keys.type === 'TSUnionType' ? keys.types : [keys]
  const picked = new Set(literals.map((one) => literalOf(one) ?? ''))
  return leftmost(of.typeName).map((source) => ({ ...source, picked }))
}

const keyOf = (key: Node): string =>
  key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''

const literalOf = (type: Node): string | undefined =>
  type.type === 'TSLiteralType' && type.literal.type === 'Literal' ? String(type.literal.value) : undefined

function leftmost(node: Node): Source[] {
  if (node.type === 'Identifier') return [{ from: undefined, name: node.name }]
  return node.type === 'TSQualifiedName' ? leftmost(node.left) : []
}

const nameOf = (node: { type: string; name?: string; value?: unknown }): string =>
  node.name ?? String(node.value)
