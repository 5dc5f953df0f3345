import fc from 'fast-check'

/** Checks that a property holds of all values of these arbitraries: its function comes last. */
export const forAll = <Ts extends [unknown, ...unknown[]]>(
  // biome-ignore lint/suspicious/noConfusingVoidType: as a property of fast-check
  ...property: [...{ [At in keyof Ts]: fc.Arbitrary<Ts[At]> }, (...values: Ts) => boolean | void]
): void => fc.assert(fc.property(...property))
