const waiting: (() => unknown)[] = []

/** Runs when all tests of the file are over, as they may run side by side; what was added last runs first. */
export function atEnd(close: () => unknown): void {
  waiting.push(close)
}

export async function closeAll(): Promise<void> {
  for (const close of waiting.splice(0).reverse()) await close()
}
