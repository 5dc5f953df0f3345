import { writeFileSync } from 'node:fs'
import { NotQuotable } from '../../../src/adapters/cause-of.ts'
import { tableRates } from '../../../src/rates/index.ts'
import { parcelsOf } from '../../../src/rates/parcels/parcels.ts'
import { asking } from '../../rates/adapters/quote.ts'
import { temporaryFolder } from '../../temporary.ts'
import type { Found } from '../found.ts'
import { Random } from '../random.ts'

/** The rules that carriers rely on beside the simulation, each with the attempts to break it. */
export const carrierRules = { parcels: indivisible, tariffs: wholeAndNew }
export type CarrierRule = keyof typeof carrierRules

const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0)

/** Random carts: no piece is divided, none is lost, no parcel is too heavy, and a piece that no parcel can hold has no price. */
async function indivisible(): Promise<Found> {
  const violations = new Set<string>()
  const random = new Random(1)
  const tries = 2_000
  for (let cart = 0; cart < tries; cart++) {
    const most = random.between(5, 30)
    const products = Array.from({ length: random.between(1, 4) }, () => ({
      ...{ quantity: random.between(1, 6), weight: random.between(1, 36) },
    }))
    const weight = sum(products.map((one) => one.quantity * one.weight))
    const quote = { price_incl: '10', price_excl: '10', totals: { taxes: [] }, weight, products }
    const isTooHeavy = products.some((one) => one.weight > most)
    try {
      const parcels = { unit: 'kg', maxWeight: most, maxParcels: 999 } as const
      const { list } = parcelsOf(quote as never, { weight: 'kg', products: 'piece' }, parcels)
      if (isTooHeavy) violations.add('a piece that is too heavy has parcels')
      if (list.some(({ actual }) => Number(actual) > most)) violations.add('a parcel is too heavy')
      const counts = list.map(({ pieces = 0 }) => pieces)
      if (list.length > 1 && counts.some((count) => !Number.isInteger(count) || count < 1))
        violations.add('an indivisible piece was divided')
      if (list.length > 1 && sum(counts) !== sum(products.map(({ quantity }) => quantity)))
        violations.add('a piece is lost')
      const shipped = sum(list.map(({ actual }) => Number(actual)))
      if (Math.abs(shipped - weight) > 1e-6) violations.add('weight is lost')
    } catch (error) {
      if (!(error instanceof NotQuotable)) throw error
      if (!isTooHeavy) violations.add(`a cart that fits has no parcels: ${error.message}`)
    }
  }
  return { tries, violations: [...violations] }
}

const header = 'id,title,country,price_excl\n'
const lines = (price: number) => Array.from({ length: 10 }, (_, at) => `m${at},Method,nl,${price}.00\n`)

/** A tariff that is written in pieces: never a half one is in use, and the whole one two looks after its change. */
async function wholeAndNew(): Promise<Found> {
  using folder = temporaryFolder()
  const violations = new Set<string>()
  const file = folder.at('tariff.csv')
  writeFileSync(file, header + lines(1).join(''))
  const adapter = tableRates({ file, taxRate: 0 })
  const { rates, ctx } = asking(adapter)
  const rounds = 60
  const prices = async () => {
    const methods = await rates()
    if (methods.length !== 10) violations.add(`half of a file is in use: ${methods.length} of 10 methods`)
    const found = new Set(methods.map((method) => Number(method.split(' ')[1])))
    if (found.size > 1) violations.add('two files are in use')
    return Math.max(...found)
  }
  await prices()
  for (let round = 2; round < rounds; round++) {
    // Written in its place, with a look between each two pieces: each piece ends with a whole line.
    const pieces = lines(round)
    writeFileSync(file, header + pieces[0])
    for (let written = 2; written <= pieces.length; written += 3) {
      await adapter.files!.look(ctx)
      await prices()
      writeFileSync(file, header + pieces.slice(0, written).join(''))
    }
    writeFileSync(file, header + pieces.join(''))
    for (let looks = 0; looks < 2; looks++) await adapter.files!.look(ctx)
    if ((await prices()) !== round) violations.add('the old file is in use two looks after a change')
  }
  return { tries: rounds, violations: [...violations] }
}
