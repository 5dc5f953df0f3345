/** One record of an answer: JSON values, timestamps as text with an offset. */
export type ApiRecord = { id: number } & Record<string, unknown>

export const timestamp = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, '+00:00')

export const datesOf = ({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) => ({
  createdAt: timestamp(createdAt),
  updatedAt: timestamp(updatedAt),
})

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The id of a record; `NaN`, which no record has, for anything else. */
export const idOf = (given: unknown): number =>
  /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN

/** The id in `12`, `{ "id": 12 }` or `{ "resource": { "id": 12 } }`. */
export function idIn(value: unknown): number {
  if (!isObject(value)) return idOf(value)
  const { id, resource } = value
  return idOf(id ?? (isObject(resource) ? resource.id : resource))
}
