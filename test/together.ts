/** Does something with each of a list, with so many of them at a time. */
export async function together<T>(
  atOnce: number,
  list: Iterable<T>,
  work: (one: T) => unknown,
): Promise<void> {
  const left = list[Symbol.iterator]()
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Does something so many times, the same way. */
export const times = (count: number, atOnce: number, work: () => unknown): Promise<void> =>
  together(atOnce, Array(Math.ceil(count)).keys(), work)
