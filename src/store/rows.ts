import type { Selectable } from 'kysely'
import { type Column, nameOf } from './columns.ts'
import type { Tables } from './schema.ts'

// Maps between rows, where no data is null, and objects, where it is undefined.

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
export type Plain<Of> = {
  [Name in keyof Of as Camel<Name>]: null extends Of[Name] ? Exclude<Of[Name], null> | undefined : Of[Name]
}

/** A row whose columns are the members of an object: `order_id` becomes `orderId`, and null undefined. */
export const plain = <Of extends object>(row: Of): Plain<Of> =>
  members(row, ...(Object.keys(row) as (keyof Of & Column)[])) as Plain<Of>

/** As `plain`, with these columns of a row. */
export function members<Of extends object, Name extends keyof Of & Column>(
  row: Of,
  ...names: Name[]
): Plain<Pick<Of, Name>> {
  const found: Record<string, unknown> = {}
  for (const name of names) found[nameOf(name)] = row[name] ?? undefined
  return found as Plain<Pick<Of, Name>>
}

export const orderFrom = (row: { shop_id: string; order_id: string }) => members(row, 'shop_id', 'order_id')

/** A process, as `nodes list` shows it: where and what it is. `since` is when it started. */
export type NodeRuns = Plain<
  Pick<Row<'nodes'>, 'host' | 'pid' | 'main_pid' | 'version' | 'build' | 'since'>
> & {
  /** The address that shops call. Not set before it listens. */
  url?: string | undefined
}

/** A running process of the provider. `opens` are the ids of the secrets whose texts it opens, the one that it has as its own first. */
export type NodeSeen = ReturnType<typeof nodeFrom>

export const nodeFrom = ({ id, opens, seen_at: seenAt, url, ...row }: Row<'nodes'>) => ({
  ...{ id, opens: opens.split(' ') as readonly string[], seenAt },
  runs: { ...plain(row), ...(url !== null && { url }) } as NodeRuns,
})
