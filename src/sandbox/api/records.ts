/** One record of an answer: JSON values, timestamps as text with an offset. */
export type ApiRecord = { id: number } & Record<string, unknown>

export const timestamp = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, '+00:00')

export const datesOf = ({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) => ({
  createdAt: timestamp(createdAt),
  updatedAt: timestamp(updatedAt),
})
