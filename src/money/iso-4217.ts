// ISO 4217, list one of its maintenance agency (SIX), as amended up to 2026, and the currencies that left it since 2015: services report
// refunds of old payments in them. Codes without minor units (metals, funds of banks, tests) are no currencies of an order.

const codes = {
  0: 'BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU
    CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS
    KHR KPW KYD KZT LAK LBP LKR LRD LSL LTL MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STD STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD
    TZS UAH USD USN UYU UZS VED VEF VES WST XCD XCG YER ZAR ZMW ZWG ZWL`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** The digits after the point, by code in upper and in lower case. */
export const isoDigits: ReadonlyMap<string, number> = new Map(
  Object.entries(codes).flatMap(([digits, list]) =>
    `${list} ${list.toLowerCase()}`.split(/\s+/).map((code) => [code, Number(digits)] as const),
  ),
)

/** Whether a currency of this code exists or existed. Upper or lower case. */
export const isCurrency = (code: unknown): code is string =>
  typeof code === 'string' && isoDigits.has(code.toUpperCase())
