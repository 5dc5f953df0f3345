import { singularOf } from '../../../platform/resource.ts'
import { one, text } from './fields.ts'
import { type ResourceRow, row } from './row.ts'

/** The metafields of a resource, or of the app itself without one: `products/{id}/metafields`, `shop/metafields`, `metafields`. */
export function metafieldsOf(
  resource: string,
  single = '',
  traits: Partial<Omit<ResourceRow, 'path'>> = {},
): ResourceRow {
  const owner = singularOf(resource)
  const path =
    resource === '' ? 'metafields' : single === '' ? `${resource}/{id}/metafields` : `${single}/metafields`
  return row(path, {
    fields: {
      key: text(),
      value: text(),
      ...(single === '' && resource !== '' && { [owner]: one(resource) }),
    },
    required: ['key'],
    filters: ['key'],
    ...traits,
  })
}
