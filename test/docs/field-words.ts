/** Words of shops, carriers and payment services that the pages use, beside those of ARCHITECTURE.md. */
export const fieldWords: readonly (readonly [word: string, meaning: string])[] = [
  ['service point', 'a place where a carrier hands the parcel over; its order is shipped'],
  ['bracket, band', 'the weights or cart values of a line of a tariff'],
  ['colli', 'the packages of a cart or a product, as the shop counts them'],
  ['girth', 'twice the sum of the two shorter sides of a parcel'],
  [
    'idempotency key',
    "an attempt's name for the payment service: a start that repeats it makes no second payment",
  ],
  ['node', 'one running provider on a store, with its workers'],
  ['seal', 'encrypt with the `secret`, for one row and its shop'],
  ['switch', 'one habit of live platforms, or one fault, that the sandbox plays'],
]
