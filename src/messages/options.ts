import { z } from 'zod'
import { countryFault, isCountry } from '../adapters/table-rates/countries.ts'
import { optionGroup } from '../use-cases/option-faults.ts'
import type { Customer, DeliveryAddress, Destination } from './people.ts'

export const textOption = z.string().optional()

const languageCode = z.string().regex(/^[a-z]{2}$/, 'must be two small letters, such as nl')
export const languageOption = languageCode.optional()

/** Empty text is no data. Capitals are read as small letters. */
const country = z.string().refine((code) => code === '' || isCountry(code.toLowerCase()), {
  error: ({ input }) => countryFault(String(input)),
})
export const countryOption = country.optional()

export const addressOption = optionGroup({
  address1: textOption,
  number: textOption,
  extension: textOption,
  zipcode: textOption,
  city: textOption,
  region: textOption,
  country: countryOption,
} satisfies Record<keyof DeliveryAddress, z.ZodType>).optional()

/** Both fields must be set: a cart knows no default for them. */
export const destination = optionGroup({ zipcode: z.string(), country } satisfies Record<
  keyof Destination,
  z.ZodType
>)

export const customerOption = optionGroup({
  firstname: textOption,
  lastname: textOption,
  email: textOption,
  phone: textOption,
  company: textOption,
  vatnumber: textOption,
  cocnumber: textOption,
} satisfies Record<keyof Customer, z.ZodType>).optional()

/** The methods that a customer chooses by their ids, with the data for the payment method. */
export const choiceOptions = {
  shipmentMethod: textOption,
  paymentMethod: textOption,
  data: z.record(z.string(), z.unknown()).optional(),
}

/** The address with its country in small letters. */
export const inSmall = <T extends { country?: string }>(address: T): T => ({
  ...address,
  ...(address.country !== undefined && { country: address.country.toLowerCase() }),
})

/** The fields that are set: an undefined one is not given. */
export const given = <T extends object>(
  fields: T | undefined,
): { [Field in keyof T]?: Exclude<T[Field], undefined> } =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as object
