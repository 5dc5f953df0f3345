import { catalogRows } from './catalog.ts'
import { customerRows } from './customers.ts'
import { orderRows, quoteRows } from './orders.ts'
import type { ResourceRow } from './row.ts'
import { contentRows, shopRows } from './shop.ts'

/** Every resource of the platform's API, beside external services and charges (spec 4.2). */
export const resourceRows: readonly ResourceRow[] = [
  ...shopRows,
  ...catalogRows,
  ...customerRows,
  ...orderRows,
  ...quoteRows,
  ...contentRows,
]
