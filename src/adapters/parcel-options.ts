import { z } from 'zod'
import { type ParcelRules, ruleFaults } from '../rates/parcel-rules.ts'
import { productFacts } from '../rates/product-facts.ts'
import { lengthUnits, volumeUnits } from '../rates/units.ts'
import { volumetricUnits } from '../rates/volumetric.ts'
import { amount } from './options.ts'

/** The rules of parcels as an option of an adapter: those of `ctx.parcels` but the unit of weight. */
export type ParcelOptions = Omit<ParcelRules, 'unit'>

export const parcelOptions = z
  .strictObject({
    maxWeight: amount.optional(),
    volumetricDivisor: z.number().optional(),
    volumetricUnit: z.enum(volumetricUnits).optional(),
    maxParcels: z.number().optional(),
    lengthUnit: z.enum(lengthUnits).optional(),
    maxLength: amount.optional(),
    maxGirth: amount.optional(),
    maxLengthAndGirth: amount.optional(),
    volumeUnit: z.enum(volumeUnits).optional(),
    maxVolume: amount.optional(),
    apart: z.array(z.enum(productFacts)).readonly().optional(),
  } satisfies Record<keyof ParcelOptions, z.ZodType>)
  .superRefine((rules, ctx) => {
    for (const { at, message } of ruleFaults(rules as Partial<ParcelRules>))
      ctx.addIssue({ code: 'custom', path: [at], message })
  })
