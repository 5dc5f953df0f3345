import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { singularOf } from '../../platform/resource.ts'

// The plain mapping of the JSON, because the contract shows no XML (spec 2.1): a field is an element with its value as text, a list has an
// element in the singular for each entry, and `null` is an empty element. The mapping is ours.

const builder = new XMLBuilder({ format: true, suppressEmptyNode: true })
const parser = new XMLParser({ ignoreDeclaration: true, parseTagValue: false })

/** An answer as XML: `{"product": {...}}` becomes `<product>...</product>`. An answer without an envelope stands in one of that name. */
export function xmlOf(body: Record<string, unknown> | unknown[], name: string): string {
  const entries = Array.isArray(body) ? [] : Object.entries(body)
  const [key, value]: [string, unknown] = entries.length === 1 ? entries[0]! : [name, body]
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [key]: mapped(value, key) })}`
}

function mapped(value: unknown, key: string): unknown {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) {
    const one = singularOf(key)
    const entry = one === key ? 'item' : one
    return value.length === 0 ? '' : { [entry]: value.map((item) => mapped(item, entry)) }
  }
  if (typeof value !== 'object') return withoutControls(String(value))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [elementOf(name), mapped(inner, name)]),
  )
}

/** Names such as `1` are no names of elements. */
const elementOf = (name: string) =>
  /^[A-Za-z_][\w.-]*$/.test(name) ? name : `_${name.replace(/[^\w.-]/g, '_')}`

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no form for them
const withoutControls = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')

/** More than this are refused before they are read: most elements have two. */
const mostTags = 100_000

function countOf(text: string, sign: string, most: number): number {
  let count = 0
  for (let at = text.indexOf(sign); at !== -1 && count <= most; at = text.indexOf(sign, at + 1)) count++
  return count
}

/** A sent body as the JSON would hold it, with text for every value, as in a form. Throws a `SyntaxError` for text that is not XML. */
export function readXml(text: string): Record<string, unknown> {
  // A document type could name entities that grow without bound.
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new SyntaxError('a document type is not read')
  if (countOf(text, '<', mostTags) > mostTags) throw new SyntaxError('too many elements')
  const body = parser.parse(text, true) as unknown
  if (typeof body !== 'object' || body === null) throw new SyntaxError('no element')
  return body as Record<string, unknown>
}
