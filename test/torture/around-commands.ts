import type { StorePort } from '../../src/store-port.ts'

/** A store whose commands are called by `around`. Its clock, and what it says of itself, stay as they are. */
export function aroundCommands(
  store: StorePort,
  around: (command: () => Promise<unknown>, name: string) => Promise<unknown>,
): StorePort {
  const wrapped = Object.entries(store).map(([name, member]) => {
    if (name === 'now' || typeof member !== 'function') return [name, member]
    return [name, (...args: unknown[]) => around(async () => member(...args), name)]
  })
  return Object.fromEntries(wrapped) as StorePort
}
