import { price } from '../../../src/index.ts'
import { type RemoteRatesOptions, remoteRates } from '../../../src/rates/index.ts'

/** A method of a carrier, without tax. */
export const offered = (excl: string | number, id = 'door', title = 'Door') => ({
  ...{ id, title },
  ...price({ excl, taxRate: 0, currency: 'eur' }),
})

/** A carrier whose API answers `{ amount }`, and is not asked again. */
export const carrierAdapter = (options: Partial<RemoteRatesOptions> = {}) =>
  remoteRates({
    name: 'carrier',
    url: 'https://carrier.example/rates',
    retries: 0,
    answer: (body) => [offered((body as { amount: string }).amount)],
    ...options,
  })
