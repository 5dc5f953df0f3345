import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Comment, type Node, parseSync, visitorKeys } from 'oxc-parser'
import { docText } from './declarations.ts'

/** A field of a zod schema, as its source says it. */
export interface SchemaField {
  name: string
  /** Such as `z.number().int().min(1)`. */
  schema: string
  doc: string
}

interface Source {
  file: string
  text: string
  body: readonly Node[]
  comments: readonly Comment[]
}

/** Types that follow from a schema have no members in declaration files: their fields are read from the schema in the source. */
export class Schemas {
  readonly #sources = new Map<string, Source>()
  readonly #sourceOf: (declarationFile: string) => string

  /** `sourceOf` finds the file of `src` that a declaration file was made from. */
  constructor(sourceOf: (declarationFile: string) => string) {
    this.#sourceOf = sourceOf
  }

  /** The fields of the type's schema; none where it follows from no schema. */
  fieldsOf(declarationFile: string, type: string): SchemaField[] {
    const source = this.#source(this.#sourceOf(declarationFile))
    const alias = declarationIn(source, type)
    const name = alias?.type === 'TSTypeAliasDeclaration' ? schemaNameIn(alias) : undefined
    const schema = name === undefined ? undefined : this.#variable(source, name)
    const object = schema && firstObject(schema.node)
    return object ? this.#fieldsIn(schema.source, object) : []
  }

  #source(file: string): Source {
    const source = this.#sources.get(file) ?? read(file)
    this.#sources.set(file, source)
    return source
  }

  /** A variable of the file, or of one that it imports from. */
  #variable(source: Source, name: string): { source: Source; node: Node } | undefined {
    for (const node of source.body.map(unwrapped)) {
      if (node.type === 'VariableDeclaration') {
        const found = node.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name)
        if (found?.init) return { source, node: found.init }
      }
      if (node.type === 'FunctionDeclaration' && node.id?.name === name && node.body)
        return { source, node: node.body }
      if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('.')) continue
      const imported = node.specifiers.find(({ local }) => local.name === name)
      if (imported) return this.#variable(this.#source(join(dirname(source.file), node.source.value)), name)
    }
    return undefined
  }

  #fieldsIn(source: Source, object: Node): SchemaField[] {
    if (object.type !== 'ObjectExpression') return []
    return object.properties.flatMap((property) => {
      if (property.type === 'SpreadElement') {
        if (property.argument.type !== 'Identifier') return []
        const spread = this.#variable(source, property.argument.name)
        const fields = spread && firstObject(spread.node)
        return fields ? this.#fieldsIn(spread.source, fields) : []
      }
      const name = property.key.type === 'Identifier' ? property.key.name : ''
      const schema = source.text.slice(property.value.start, property.value.end).replace(/\s+/g, ' ')
      return [{ name, schema, doc: docBefore(source, property.start) }]
    })
  }
}

function read(file: string): Source {
  const text = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, text)
  return { file, text, body: program.body, comments }
}

const unwrapped = (node: Node): Node =>
  node.type === 'ExportNamedDeclaration' && node.declaration ? node.declaration : node

const declarationIn = ({ body }: Source, name: string): Node | undefined =>
  body.map(unwrapped).find((node) => 'id' in node && node.id && 'name' in node.id && node.id.name === name)

/** The `x` of `z.output<typeof x>` and of `z.output<ReturnType<typeof x>>`. */
function schemaNameIn(node: Node): string | undefined {
  if (node.type === 'TSTypeQuery') return node.exprName.type === 'Identifier' ? node.exprName.name : undefined
  for (const part of partsOf(node)) {
    const found = schemaNameIn(part)
    if (found !== undefined) return found
  }
  return undefined
}

/** The fields of the first `z.object({...})` of an expression, or the object itself. */
function firstObject(node: Node): Node | undefined {
  if (node.type === 'ObjectExpression') return node
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const { property } = node.callee
    const [first] = node.arguments
    if (property.type === 'Identifier' && /^(strict|loose)?object$/i.test(property.name) && first)
      return first as Node
  }
  for (const part of partsOf(node)) {
    const found = firstObject(part)
    if (found) return found
  }
  return undefined
}

function docBefore({ text, comments }: Source, start: number): string {
  const comment = comments.findLast(({ end, value }) => end <= start && value.startsWith('*'))
  return comment && text.slice(comment.end, start).trim() === '' ? docText(comment.value) : ''
}

const partsOf = (node: Node): Node[] =>
  (visitorKeys[node.type] ?? []).flatMap((key) => {
    const part = (node as unknown as Record<string, unknown>)[key]
    return [part]
      .flat()
      .filter((one): one is Node => typeof one === 'object' && one !== null && 'type' in one)
  })
