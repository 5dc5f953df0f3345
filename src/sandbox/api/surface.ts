import { singularOf } from '../../platform/resource.ts'
import { ApiError, idOf } from './answers.ts'
import type { ApiRecord } from './records.ts'
import { ownerOf, type ResourceRow } from './resources/row.ts'
import type { Resource, Source } from './source.ts'

/** The resource behind an address, and the record that it names. */
export interface Place {
  resource: Resource
  owner: number | undefined
  /** The id of a record, `count`, or `undefined` for the collection. */
  item: string | undefined
}

/** Every resource of the API, by its address. */
export class Surface {
  readonly #resources = new Map<string, Resource>()

  add(row: ResourceRow, source: Source): void {
    this.#resources.set(row.path, { row, source, ownerField: ownerFieldOf(row.path) })
  }

  all(): Resource[] {
    return [...this.#resources.values()]
  }

  find(path: string): Resource | undefined {
    return this.#resources.get(path)
  }

  readonly exists = (path: string, id: number): boolean => this.record(path, id) !== undefined

  record(path: string, id: number): ApiRecord | undefined {
    return this.#resources.get(path)?.source.get(id)
  }

  /** The place of an address such as `products/101/metafields/3`. Throws a 404 that says how far the address is known. */
  place(address: string): Place {
    const names = address.split('/')
    const found =
      this.#place(names, undefined) ?? this.#place(names.slice(0, -1), names.at(-1)) ?? this.#related(names)
    if (!found) throw this.#unknown(names)
    const ownerPath = ownerOf(found.resource.row.path)
    if (ownerPath !== undefined && found.owner !== undefined && !this.exists(ownerPath, found.owner))
      throw new ApiError(404, `There is no record ${found.owner} of ${ownerPath}.`)
    return found
  }

  #place(names: string[], item: string | undefined): Place | undefined {
    if (names.length === 0) return undefined
    const exact = this.#resources.get(names.join('/'))
    if (exact) return itemFits(exact, item) ? { resource: exact, owner: undefined, item } : undefined
    for (let at = 1; at < names.length - 1; at++) {
      const path = [...names.slice(0, at), '{id}', ...names.slice(at + 1)].join('/')
      const resource = this.#resources.get(path)
      if (resource && isId(names[at]!) && itemFits(resource, item))
        return { resource, owner: Number(names[at]), item }
    }
    return undefined
  }

  /** `products/101/variants` is the list of the variants that name this product, for any resource with such a relation. */
  #related(names: string[]): Place | undefined {
    for (const item of [undefined, names.at(-1)]) {
      const [owner = '', id = '', ...rest] = item === undefined ? names : names.slice(0, -1)
      const resource = this.#resources.get(rest.join('/'))
      if (!resource || !isId(id) || resource.row.single) continue
      const fields = Object.entries(resource.row.fields)
      const field = fields.find(([, one]) => one.kind === 'one' && one.of === owner)?.[0]
      if (field === undefined || !this.exists(owner, Number(id))) continue
      return { resource: { ...resource, ownerField: field }, owner: Number(id), item }
    }
    return undefined
  }

  #unknown(names: string[]): ApiError {
    for (let length = names.length - 1; length > 0; length--) {
      const known = names.slice(0, length).join('/')
      const below = this.#below(names.slice(0, length))
      if (below.length === 0 && !this.#resources.has(known)) continue
      const nested = this.#below([...names.slice(0, length), '1'])
      const list =
        below.length > 0
          ? `It has ${below.join(', ')}`
          : nested.length > 0
            ? `Each of its records has ${nested.join(', ')}`
            : 'It has nothing below it'
      return new ApiError(404, `There is no "${names.slice(length).join('/')}" under ${known}. ${list}.`)
    }
    return new ApiError(404, 'There is no such resource.')
  }

  #below(names: string[]): string[] {
    const start = `${names.map((name) => (isId(name) ? '{id}' : name)).join('/')}/`
    return [...this.#resources.keys()].flatMap((path) => {
      const rest = path.startsWith(start) ? path.slice(start.length) : ''
      return rest !== '' && !rest.includes('/') && rest !== '{id}' ? [rest] : []
    })
  }
}

const isId = (text: string) => idOf(text) >= 0

/** A single record has no id. A word in place of an id is an unknown record only where nothing lies below. */
const itemFits = ({ row }: Resource, item: string | undefined) => item === undefined || !row.single

/** The field of a nested record that holds its owner: `product` in `products/{id}/metafields`. */
export function ownerFieldOf(path: string): string | undefined {
  const owner = ownerOf(path)
  return owner === undefined ? undefined : singularOf(owner.split('/').at(-1)!)
}
