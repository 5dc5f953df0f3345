import { countryOf } from './countries.ts'
import { languageOf } from './languages.ts'
import type { ApiRecord } from './records.ts'
import type { Field } from './resources/fields.ts'
import type { ResourceRow } from './resources/row.ts'

/** The parts of a caller's address that links repeat: `https://host/api` and `nl`. */
export interface Asked {
  base: string
  language: string
}

/**
 * A record as the API shows it: in the order of its row, relations with links, countries and languages as objects. Fields whose names open
 * with `_` are the sandbox's own, and are left out.
 */
export function shown(row: ResourceRow, record: ApiRecord, asked: Asked): ApiRecord {
  const { id, createdAt, updatedAt, ...kept } = record
  const [created, updated] = row.bare ? ['created_at', 'updated_at'] : ['createdAt', 'updatedAt']
  const answer: Record<string, unknown> = row.undated
    ? {}
    : { [created]: createdAt ?? kept[created], [updated]: updatedAt ?? kept[updated] }
  if (row.bare || row.undated) for (const name of [created, updated]) delete kept[name]
  for (const [name, field] of Object.entries(row.fields)) {
    if (field.kind !== 'upload') answer[name] = shownField(field, kept[name] ?? field.empty, id, asked)
    delete kept[name]
  }
  for (const name of Object.keys(kept)) if (name.startsWith('_')) delete kept[name]
  return { ...(row.single && row.undated ? ({} as { id: number }) : { id }), ...answer, ...kept } as ApiRecord
}

function shownField(field: Field, value: unknown, id: number, asked: Asked): unknown {
  if (field.kind === 'one') return typeof value === 'number' ? relation(field.of, value, asked) : false
  if (field.kind === 'many') return collection(field.of.replace('{id}', String(id)), asked)
  if (field.kind === 'country') return countryOf(value) ?? false
  if (field.kind === 'language') return languageOf(value) ?? false
  if (field.kind === 'link')
    return String(value).startsWith('/') ? new URL(String(value), asked.base).href : value
  return value
}

const relation = (resource: string, id: number, { base, language }: Asked) => ({
  resource: { id, url: `${resource}/${id}`, link: `${base}/${language}/${resource}/${id}.json` },
})

const collection = (url: string, { base, language }: Asked) => {
  const [path, query] = url.split('?')
  const link = `${base}/${language}/${path}.json${query === undefined ? '' : `?${query}`}`
  return { resource: { id: false, url, link } }
}
