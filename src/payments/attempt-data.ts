import type { ContentSeal } from './content-seal.ts'
import type { Attempt } from './payment.ts'

/** The most that an adapter may keep with an attempt, in bytes of JSON. */
export const mostData = 4_096

const rowOf = (id: string) => `attempt ${id}` as const

/** `undefined` without data. */
export const sealData = (contents: ContentSeal, id: string, data: unknown): string | undefined =>
  data === undefined ? undefined : contents.close(JSON.stringify(data), rowOf(id))

/** Throws a `StoreUnavailable` for data of another store or attempt. */
export const openData = (contents: ContentSeal, { id, started }: Attempt): unknown =>
  started?.sealedData === undefined ? undefined : JSON.parse(contents.open(started.sealedData, rowOf(id)))
