/** Words of shops, carriers and payment services that the pages use, beside those of ARCHITECTURE.md. */
export const fieldWords: readonly (readonly [word: string, meaning: string])[] = [
  ['service point', 'a place where a carrier hands the parcel over; its order is shipped'],
  ['bracket, band', 'the weights or cart values of a line of a tariff'],
  ['cut-off', 'the time until which orders are sent on the same day'],
  ['colli', 'the packages of a cart or a product, as the shop counts them'],
  ['girth', 'twice the sum of the two shorter sides of a parcel'],
  [
    'idempotency key',
    "an attempt's name for the payment service: a start that repeats it makes no second payment",
  ],
  ['reference', "the payment service's own id of a payment"],
  ['node', 'one running provider on a store, with its workers'],
  ['worker', 'one of several processes of `serve` on one port'],
  ['store', 'where a provider keeps shops and payments: SQLite, PostgreSQL or memory'],
  ['seal', 'encrypt with the `secret`, for one row and its shop'],
  ['charge', 'an amount that a platform bills the merchant for your app'],
  ['switch', 'one habit of live platforms, or one fault, that the sandbox plays'],
]
