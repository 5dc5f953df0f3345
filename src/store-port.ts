import type { Store } from './store.ts'
import type { sqlCommands } from './stores/sql/commands.ts'
import type { PortOf } from './stores/sql/port.ts'

/**
 * The commands of a store. Each one happens completely or not at all, and its result is on disk. All but the two look-ups by token name the
 * shop first.
 *
 * Commands that change a shop, or a payment by hand, write the entry of the audit trail in the commit of the change: `by` is its author, by
 * default `provider`. A command without a change writes no entry.
 *
 * Every command rejects with a `StoreUnavailable` if the store cannot be reached.
 */
export type StorePort = Store & PortOf<ReturnType<typeof sqlCommands>>
