import type { Workings } from '../workings.ts'

/** Stores the noted drifts. A drift that cannot be stored now is found again. */
export async function storeDrifts({ memory, store }: Workings): Promise<void> {
  const noted = memory.drift.take()
  if (noted.length > 0) await store.noteDrifts(noted)
}
