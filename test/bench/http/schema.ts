import { z } from 'zod'

const text = z.union([z.string(), z.null(), z.literal(false)]).optional()
const amount = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)])
const maybeAmount = z.union([amount, z.null(), z.literal(''), z.literal(false)]).optional()
const flag = z.union([z.boolean(), z.number(), z.null(), z.literal('')]).optional()

const all = <T extends z.ZodType>(names: string, schema: T): Record<string, T> =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema]))

const address = z.object({
  ...all('name company address1 address2 extension zipcode city region country', text),
  number: z.union([text, z.int()]),
})
/** The question of a checkout by hand, for servers that are compared. */
export const request = z.object({
  rate_estimate: flag,
  checkout_id: z.int().optional(),
  shop: z.object({ id: z.int(), language: z.string(), currency: z.string() }),
  customer: z.object({
    ...all('gender birthdate phone mobile national_id email firstname middlename lastname', text),
    ...all('type company vatnumber cocnumber', text),
    sameaddress: flag,
  }),
  billing_address: address,
  shipping_address: address,
  quote: z.object({
    id: z.int(),
    ...all('price_incl price_excl', amount),
    ...all('additional_cost vat_shifted', flag),
    totals: z.object({
      ...all('sub_total grand_total', amount),
      taxes: z.array(z.object({ percentage: amount, amount })),
    }),
    ...all('weight volume colli', maybeAmount),
    ...all('created_at updated_at', z.string()),
    products: z.array(
      z.object({
        ...all('product_id variant_id quantity', z.int()),
        ...all('title fulltitle variant description article_code ean sku', text),
        ...all('price_incl price_excl', amount),
        ...all('tax_rate size_x size_y size_z weight volume colli', maybeAmount),
        stock_available: flag,
      }),
    ),
  }),
})
export const answer = z.object({
  shipment_methods: z.array(
    z.object({
      ...all('id title description', z.string()),
      ...all('price_incl price_excl tax_rate', z.number().nonnegative()),
      ...all('is_pickup is_servicepoint is_cash_on_delivery', z.boolean()),
    }),
  ),
})
