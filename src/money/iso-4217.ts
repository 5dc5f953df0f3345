// ISO 4217, list one of the maintenance agency (SIX), as amended up to 2026: the digits after the point where they are not two.

const byDigits: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** By code, in upper case. A currency that is not in it has two digits. */
export const isoDigits: ReadonlyMap<string, number> = new Map(
  Object.entries(byDigits).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
)

/** Newer than the list of currencies of some releases of Node. */
const added = ['SLE', 'VED', 'XCG', 'ZWG']

const known: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...isoDigits.keys(),
  ...added,
])

/** Whether a currency of this code exists or existed. Upper or lower case. */
export const isCurrency = (code: unknown): code is string =>
  typeof code === 'string' && known.has(code.toUpperCase())
