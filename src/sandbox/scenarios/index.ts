import type { Scenario, Step } from './scenario.ts'

// Scenarios as text. A group begins with what it is about, and what most of its scenarios need. Of each there is its name, what it needs
// instead, its title, and its steps: `name`, `name: field value, field value` or `field value`. Those without steps of their own have the
// next ones, with their last word in the place of `*`.

const text = `
# All ends of a payment, and all ways in which a customer can return. Needs payments
paid | The customer pays and returns
  order; choose paid; customer returns; expect: order paid, provider paid, invoice made
pending-then-paid | The payment takes time, and the webhook reports its end
  order; choose pending; customer returns; expect: order pending, provider pending, invoice none yet; move 10m;
  expect: order paid, provider paid, webhooks 1, invoice made
cancelled | The customer cancels and returns
  order; choose cancelled; customer returns; expect: order cancelled, provider cancelled, invoice none yet
expired | The payment was not finished in time
  order; choose expired; customer returns; expect: order expired, provider expired
cancelled-then-paid | After a cancelled payment the same order is paid
  order; choose cancelled; customer returns; expect: order cancelled; payAgain; choose paid; customer returns;
  expect: order paid, provider paid, paymentUrls different
expired-then-paid | After an expired payment the same order is paid
  order; choose expired; customer returns; payAgain; choose paid; customer returns; expect: order paid, provider paid
never-returns | The customer pays and never returns
  switch: customer never; order; choose paid; customer returns; expect: order paid, provider paid, webhooks 1
returns-twice | The customer returns twice at the same moment
  switch: customer returnsTwice; order; choose paid; customer returns; expect: order paid, provider paid
returns-before-paying | The customer returns from the payment page without paying, and pays later
  order; customer returns; expect: order pending, provider pending; choose paid; customer returns; expect: order paid, provider paid
returns-after-expiry | The customer returns two hours later without having paid
  switch: customer returnsLate; order; customer returns;
  onlyIf: provider expired / The provider keeps a payment open for more than two hours; expect: order expired, provider expired
never-finished | The customer leaves the payment page open and never returns
  order; expect: order not_paid, provider pending; moveUntil: order expired; expect: order expired, provider expired, webhooks 1
two-tabs | The payment page is open in two tabs, and both are used
  order; choose paid, tabs 2; customer returns; expect: order paid, provider paid
a-month-later | An order is still paid a month later
  order; choose paid; customer returns; move 1month; expect: order paid, provider paid

# The start of a payment, doubled, lost, repeated and changed. Needs payments
start-doubled | The start of a payment is sent twice at the same moment
  switch: calls doubled; order; expect: paymentUrls same; switch: calls once; pay paid; expect: paymentUrls same
start-in-two-tabs | The order is placed in two tabs at the same moment
  switch: paymentTabs two; order; pay paid; expect: paymentUrls same
start-answer-lost | The answer to the start of a payment is lost, and the shop repeats the call
  order; switch: answers dropNext; repeatStart 1; repeatStart 1; pay paid; expect: paymentUrls same
start-repeated-after-paid | The start is repeated for days after the order was paid
  order; choose paid; customer returns; move 1d; repeatStart 2; move 1d; repeatStart 1; expect: lastStatus 201;
  expect: order paid, provider paid
amount-changed (rates, payments) | The customer changes the order after the payment was opened, and pays the new amount
  order; payAgain: shipment other; expect: paymentUrls different; choose paid; customer returns; expect: order paid, provider paid
old-amount-paid (rates, payments) | If the page of the old amount can still be paid, the order must not count as paid
  order: shipment first; payAgain: shipment other; choose paid, of first; customer returns; expect: order pending, provider pending;
  choose paid; customer returns; expect: order paid, provider paid
refused-200 | The shop accepts only 201 where the contract says so
  switch: created refused; order; pay paid
unknown-order | The shop asks for the status of an unknown order
  order; askFor unknown order; expect: lastStatus 404; pay paid
without-shop-id | The shop sends no shop id with payments
  switch: shopId none; order; pay paid

# Webhooks that are refused, late, doubled and lost. Needs payments
webhook-refused | The shop refuses the webhook at first, and accepts it ten minutes later
  switch: webhook refused; order; choose pending; customer returns; move 5m; expect: order pending, provider paid, webhooks 1;
  switch: webhook accepted; move 10m; expect: order paid, provider paid, webhooks 2
webhook-down-for-a-day | The shop accepts no webhook for a day
  switch: webhook refused; order; choose pending; customer returns; move 5m; expect: webhooks 1; move 1d;
  expect: order pending, provider paid, webhooks 2; switch: webhook accepted; move 1d; expect: order paid, provider paid, webhooks 3
webhook-limited | The shop answers the webhook with 429 and Retry-After
  switch: webhook limited; order; choose pending; customer returns; move 5m; expect: order pending, provider paid, webhooks 1;
  switch: webhook accepted; move 20m; expect: order paid, provider paid, webhooks 2
webhook-late | The shop takes ten seconds to answer the webhook
  switch: webhook late; order; choose pending; customer returns; move 5m; expect: order pending, provider paid, webhooksWaiting 1;
  move 10s; expect: order paid, provider paid, webhooks 1
status-inside-webhook | The shop asks for the status before it has answered the webhook | inside
status-twice | The shop asks for the status twice after the webhook | twice
  switch: statusAfterWebhook *; order; choose pending; customer returns; move 5m; expect: order paid, provider paid, webhooks 1
status-answer-lost | The answer with the status is lost when the customer returns
  order; choose paid; switch: answers dropNext; customer returns; switch: answers arrive; customer returns;
  expect: order paid, provider paid

# Lists of methods, and the ways in which shops request them. A provider of shipping, of payment or of both can play them.
cart-and-checkout-agree (rates) | The cart and the checkout show the same shipping methods
  estimate; onlyIf: methods some / The provider has no estimate for it; checkout; expect: methods same; order; pay paid
asked-twice | Two requests of a checkout get the same methods with the same ids
  checkout; checkout; expect: methods same; order; pay paid
calls-doubled | Every call of a checkout is made twice at the same moment
  switch: calls doubled; checkout; expect: methods some, answers valid; order; pay paid
lists-kept | The shop caches the lists of methods for twelve hours
  switch: methodLists 12h; checkout; move 6h; checkout; expect: methodCalls 1, methods same; order; pay paid
three-seconds | The shop waits at most three seconds for an answer
  switch: cutOff 3s; checkout; expect: methods some; order; pay paid
no-data-missing | Fields without data are missing | missing
no-data-null | Fields without data are null | null
no-data-text | Fields without data are empty text | text
no-data-false | Fields without data are false | false
  switch: noData *; checkout: address1; expect: methods some; order; pay paid

# Habits of other platforms that a real one has. A provider of shipping, of payment or of both can play them.
shipping-taxed | The tax of shipping is listed too, and one tax rate appears twice | taxed
discount-line | A discount is a line with prices below 0 | discount
digital-line | A digital line has 0 colli | digital
html-line | A line has a page of HTML | described
  checkout: lines *; expect: answers valid; order: lines *; pay paid
fractions-of-yen | Prices in yen have decimals
  checkout: lines fractions, currency jpy; expect: answers valid; order: lines fractions, currency jpy; pay paid
guest-unnamed | A guest gives a name with the order; until then the customer is null
  checkout: customer guest; expect: answers valid; order: customer guest; pay paid
order-number-of-letters | The number of an order is 16 letters
  switch: orderNumbers letters; order; pay paid
currency-changed (payments) | The order changes its currency under one id: only the new amount pays it
  order; payAgain: currency other; choose paid, of first; customer returns;
  expect: paymentUrls different, order pending, provider pending; choose paid; customer returns; expect: order paid, provider paid
changed-after-paid (payments) | A paid order is started again with another cart, and stays paid
  order: lines letter; choose paid; customer returns; expect: order paid, provider paid; payAgain: lines free;
  expect: order paid, provider paid; payAgain: lines letter; expect: lastStatus 201; expect: order paid, provider paid

# Shipping alone: the order is paid in the shop itself, so that no payment service is needed. Needs rates
order-shipped | A paid order with the first method waits for its shipment, or for what the method needs
  order: shipment first, ownPayment true; pay paid; expect: order paid; expect: invoice made
service-point | A paid order for a service point counts as shipped
  order: shipment servicepoint, ownPayment true; pay paid; expect: order paid; expect: handling completed_shipped
pickup | A paid order to be collected waits for its pickup
  order: shipment pickup, ownPayment true; pay paid; expect: order paid; expect: handling processing_awaiting_pickup
cash-on-delivery | An order with cash on delivery is shipped before it is paid
  order: shipment cash on delivery, ownPayment true; expect: order not_paid, handling completed_shipped, result shipped
letter | A letter: every answer is valid | letter
three-boxes | Three boxes: every answer is valid | boxes
heavy | A cart of 48 kg: every answer is valid | heavy
dangerous-goods | Dangerous goods: every answer is valid | dangerous
high-value | A value above the threshold for free shipping: every answer is valid | free
empty-cart | An empty cart: every answer is valid | nothing
  estimate: lines *; checkout: lines *; expect: answers valid
abroad | Customers in seven countries: every answer is valid
  checkout: customer be; checkout: customer de; checkout: customer fr; checkout: customer es; checkout: customer gb;
  checkout: customer ch; checkout: customer us; expect: answers valid
islands | Customers on islands: every answer is valid
  checkout: customer island; checkout: customer canary; expect: answers valid
company-customer | Companies with a VAT number: every answer is valid
  checkout: customer company; expect: answers valid
without-zipcode | A country without zipcodes, in the cart and the checkout
  estimate: country hk, zipcode; checkout: customer no-zipcode; expect: answers valid
nobody-known | A checkout that knows nothing but the country
  checkout: customer nobody; expect: answers valid
unserved-country | A country that no carrier serves gets an empty list, not an error
  estimate: country aq, zipcode; checkout: country aq, zipcode, address1; expect: answers valid
bills-elsewhere | The shipping address decides, not the billing address
  checkout: customer be; checkout: customer elsewhere; expect: lists same
other-language | Another language changes words, but neither ids nor prices
  checkout: language en; checkout: language nl; checkout: language fr; expect: lists same; expect: answers valid
other-currency | A shop with another currency gets a valid answer
  checkout: currency usd; checkout: currency jpy; expect: answers valid
answer-lost | The answer with the methods gets lost, and the shop asks again
  checkout; switch: answers dropNext; checkout; checkout; expect: methods same
invalid-list-dropped | The shop drops a whole list for one invalid method
  switch: invalidMethods dropped; checkout; expect: methods some
rates-refused-200 | The shop accepts rates with status 201 only
  switch: created refused; checkout; expect: methods some
`

function scenariosIn(group: string): Scenario[] {
  const [heading = '', ...all] = group.split(/\n(?=\S)/)
  const [, needs] = heading.split('Needs ')
  return all.map((one, place) => {
    const [names = '', title = '', word = ''] = one.split('\n')[0]!.split(' | ')
    const [name = '', own = needs] = names.split(/ \(|\)/)
    const written = all.slice(place).find((other) => other.includes('\n'))!
    const steps = written.split('\n').slice(1).join('').replaceAll('*', word).split(';').map(stepIn)
    return { name, needs: (own?.split(', ') ?? []) as Scenario['needs'], title, steps }
  })
}

/** Behind a slash stands why a scenario is skipped. */
function stepIn(text: string): Step {
  const [, name, fields, otherwise] = /^(\w+)(?:: ([^/]+?)(?: \/ (.+))?)?$/.exec(text.trim()) ?? []
  const step =
    name === undefined ? fieldsIn(text) : { [name]: fieldsIn(fields), ...(otherwise && { otherwise }) }
  return step as Step
}

function fieldsIn(text = ''): object {
  const fields = [...text.matchAll(/(\w+) ?([^,]*)/g)].map(([, name, value = '']) => [
    name,
    value === 'true' || (/^\d+$/.test(value) ? Number(value) : value),
  ])
  return Object.fromEntries(fields)
}

/** All scenarios, in the order in which `purveyor simulate run --all` plays them. */
export const scenarios: readonly Scenario[] = text.trim().split('\n\n').flatMap(scenariosIn)
