/** Options of a cache that keeps so many entries. It grows as it is filled: with `max` all of its memory would be taken at the start. */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
