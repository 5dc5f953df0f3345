import fc from 'fast-check'

type Property<Ts extends [unknown, ...unknown[]]> = [
  ...{ [At in keyof Ts]: fc.Arbitrary<Ts[At]> },
  // biome-ignore lint/suspicious/noConfusingVoidType: as a property of fast-check
  (...values: Ts) => boolean | void,
]

/** Checks that a property holds of all values of these arbitraries: its function comes last. */
export const forAll = <Ts extends [unknown, ...unknown[]]>(...property: Property<Ts>): void =>
  fc.assert(fc.property(...property))

/** The same in so many runs. */
export const forRuns = <Ts extends [unknown, ...unknown[]]>(numRuns: number, ...property: Property<Ts>) =>
  fc.assert(fc.property(...property), { numRuns })
