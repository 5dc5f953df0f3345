export * from './store/connection.ts'
export type * from './store/counts.ts'
export type * from './store/lanes.ts'
export type * from './store/nodes.ts'
export type * from './store/payments.ts'
export type * from './store/payments.ts'
export * from './store/payments.ts'
export type * from './store/pushes.ts'
export type * from './store/service-failures.ts'
export type * from './store/shops.ts'
export type * from './store/shops.ts'
export type * from './store/shops.ts'
export type * from './store/shops.ts'
export * from './store/shops.ts'
export type * from './store/webhooks.ts'

declare const opaque: unique symbol

/**
 * Stores shops, payments and owed webhooks: `sqliteStore()`, `postgresStore()` or `memoryStore()`. A store shows no members, because the
 * interface between Purveyor and its stores may change in any release.
 */
export interface Store {
  readonly [opaque]?: never
}
