import { XMLBuilder } from 'fast-xml-parser'
import { singularOf } from '../../platform/resource.ts'

// The contract shows no XML (spec 2.1), so this plain mapping of the JSON is ours. A list has an element in the singular for each entry.

const builder = new XMLBuilder({ format: true, suppressEmptyNode: true })

/** An answer as XML: `{"product": {...}}` becomes `<product>...</product>`. */
export const xmlOf = (body: Record<string, unknown>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(mapped(body, ''))}`

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
