import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, parseSync, visitorKeys } from 'oxc-parser'

/** One bug, put into a copy of the source. */
export interface SeededBug {
  name: string
  edits: {
    /** The function, method (`Class.method`) or constant, wherever in `src` it stands. */
    of: string
    /** The text in it, laid out in any way. */
    from: string
    to: string
  }[]
}

/**
 * Reads bugs from text: a name, and further in each edit as `function: text ==> replacement`. The lines of a long edit are yet further in.
 */
export function readBugs(text: string): SeededBug[] {
  const indent = /^\n( *)/.exec(text)![0]
  const split = (from: string, at: string) => from.trim().split(new RegExp(`${at}(?! )`))
  return split(text, indent).map((bug) => {
    const [name, ...edits] = split(bug, `${indent}  `)
    return { name: name!, edits: edits.map(readEdit) }
  })
}

function readEdit(text: string): SeededBug['edits'][number] {
  const [, of, from, to] = /^([\w.#]+): (.+) ==>(.*)$/.exec(text.replaceAll(/\s+/g, ' ')) ?? []
  if (!of || !from) throw new Error(`This is no edit: ${text}`)
  return { of, from, to: to!.trim() }
}

/** The same for bugs that stand under what must find them. */
export const bugsBy = <By extends string>(texts: Partial<Record<By, string>>) =>
  (Object.entries(texts) as [By, string][]).flatMap(([by, text]) =>
    readBugs(text).map((bug) => ({ ...bug, by })),
  )

interface Declaration {
  file: string
  start: number
  end: number
}

/** The names of what is declared at a node: a function, a class, a method as `Class.method`, a constant, or a member of an object. */
function namesAt(node: Node, className: string | undefined): string[] {
  // With its `const`.
  if (node.type === 'VariableDeclaration')
    return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  if (node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') {
    const { key } = node
    if (key.type !== 'Identifier' && key.type !== 'PrivateIdentifier') return []
    return [`${className}.${key.type === 'PrivateIdentifier' ? '#' : ''}${key.name}`]
  }
  if (node.type === 'Property' && node.key.type === 'Identifier') return [node.key.name]
  if ((node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id)
    return [node.id.name]
  return []
}

/** All declarations of the sources in a folder, by name. Several may have one name. */
export function declarationsOf(folder: string): Map<string, Declaration[]> {
  const found = new Map<string, Declaration[]>()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const visit = (node: Node, className: string | undefined): void => {
      for (const name of namesAt(node, className))
        found.set(name, [...(found.get(name) ?? []), { file, start: node.start, end: node.end }])
      const inside = node.type === 'ClassDeclaration' ? node.id?.name : className
      for (const key of visitorKeys[node.type] ?? [])
        for (const child of [(node as unknown as Record<string, Node | Node[] | null>)[key]].flat())
          if (child) visit(child, inside)
    }
    visit(parseSync(file, readFileSync(join(folder, file), 'utf8')).program as Node, undefined)
  }
  return found
}

const plain = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** A pattern that takes any white space for white space: a formatter may lay lines out anew. */
const laidOut = (text: string) => new RegExp(text.split(/\s+/).map(plain).join(String.raw`\s*`), 'g')

/** The sources of a folder that a bug changes, as they are with it, by their path. Throws for a text that is not there once. */
export function sourcesWith(
  { name, edits }: SeededBug,
  folder: string,
  declarations: ReadonlyMap<string, readonly Declaration[]>,
): Map<string, string> {
  const sourceOf = (file: string) => readFileSync(join(folder, file), 'utf8')
  const all = edits.map(({ of, from, to }) => {
    const places = new Map<string, { file: string; start: number; end: number; to: string }>()
    for (const { file, start, end } of declarations.get(of) ?? []) {
      // The line break before and behind a declaration may be part of the text.
      const text = sourceOf(file).slice(Math.max(0, start - 1), end + 1)
      for (const found of text.matchAll(laidOut(from))) {
        const at = Math.max(0, start - 1) + found.index
        places.set(`${file} ${at}`, { file, start: at, end: at + found[0].length, to })
      }
    }
    const [place, ...others] = places.values()
    if (!place || others.length > 0)
      throw new Error(`The bug "${name}" fits ${of} ${places.size} times: ${from}`)
    return place
  })
  const changed = new Map<string, string>()
  // From the end on, so that the places before stay where they are.
  for (const { file, start, end, to } of all.sort((one, other) => other.start - one.start)) {
    const source = changed.get(file) ?? sourceOf(file)
    changed.set(file, source.slice(0, start) + to + source.slice(end))
  }
  return changed
}
