/** How one question to an adapter ended. `fallback`: it failed, and its fallback answered. */
export const answerKinds = ['methods', 'none', 'failed', 'skipped', 'fallback'] as const
export type AnswerKind = (typeof answerKinds)[number]

/** Counts the answers of each rate adapter of this process. */
export class AnswerCounts {
  readonly #counts = new Map<string, Record<AnswerKind, number>>()

  count(adapter: string, kind: AnswerKind): void {
    const counts = this.#counts.get(adapter) ?? this.#begin(adapter)
    counts[kind]++
  }

  #begin(adapter: string): Record<AnswerKind, number> {
    const counts = { methods: 0, none: 0, failed: 0, skipped: 0, fallback: 0 }
    this.#counts.set(adapter, counts)
    return counts
  }

  counts(): Record<string, Record<AnswerKind, number>> {
    return Object.fromEntries(this.#counts)
  }
}
