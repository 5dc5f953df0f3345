import type { Request, Response, Router } from 'express'
import { LRUCache } from 'lru-cache'
import { serviceTypes } from '../../contract/index.ts'
import { hasCode } from '../../errors/errors.ts'
import { given } from '../../messages/options.ts'
import { isPersonName, type Person, people } from '../../messages/people.ts'
import { isCountry } from '../../rates/files/cells.ts'
import type { Checkout } from '../checkout.ts'
import { type Order, ownEnds, paysOwn } from '../orders.ts'
import { type CheckoutFields, type CheckoutView, checkoutPage, fieldsOfCheckout } from '../pages/checkout.ts'
import { form, sendPage } from '../pages/layout.ts'
import { orderPage, ordersPage, ownPaymentPage, toPaymentPage } from '../pages/orders.ts'
import type { Shop } from '../shop.ts'
import { cartRoutes, checkoutOf, isLanguage, readCheckoutForm, textOf } from './cart.ts'

export function customerRoutes(router: Router, shop: Shop): void {
  cartRoutes(router, shop)
  checkoutRoutes(router, shop)
  orderRoutes(router, shop)
}

function checkoutRoutes(router: Router, shop: Shop): void {
  /** The open checkouts by the id in their address, those used last. */
  const checkouts = new LRUCache<string, Checkout>({ max: 1_000 })
  const toCheckout = (res: Response, checkout: Checkout) => {
    checkouts.set(String(checkout.id), checkout)
    res.redirect(303, `/checkout/${checkout.id}`)
  }

  router.get('/checkout', (req, res) => {
    const { customer, zipcode, country = '', language } = textOf(req.query)
    const { title: _, ...person }: Person = people[isPersonName(customer) ? customer : 'nl']
    const known = country.toLowerCase()
    const elsewhere = given({ zipcode: zipcode?.slice(0, 20), country: isCountry(known) ? known : undefined })
    const address = { ...person.address, ...elsewhere }
    toCheckout(res, shop.checkout({ ...(isLanguage(language) && { language }), ...person, address }))
  })

  router.get('/checkout/:id', async (req, res) => {
    const checkout = checkouts.get(req.params.id)
    if (!checkout) return void res.redirect(303, '/checkout')
    await showCheckout(shop, res, { checkout })
  })

  const onForm = (name: string, answer: (sent: SentCheckout, res: Response) => Promise<void> | void) =>
    router.post(`/checkout/:id/${name}`, form, async (req: Request<{ id: string }>, res: Response) => {
      const checkout = checkouts.get(req.params.id)
      if (!checkout) return res.redirect(303, '/checkout')
      const { fields, faults } = readCheckoutForm(req.body, fieldsOfCheckout(checkout))
      if (faults) return showCheckout(shop, res, { checkout, fields, faults })
      return answer({ checkout, fields, asFilledIn: checkoutOf(shop, fields) }, res)
    })

  onForm('address', ({ asFilledIn, ...sent }, res) => {
    // The same address keeps its methods and what is chosen of them.
    if (!hasChanged(sent.checkout, asFilledIn)) return showCheckout(shop, res, sent)
    toCheckout(res, asFilledIn)
  })

  onForm('order', async ({ checkout, fields, asFilledIn }, res) => {
    if (hasChanged(checkout, asFilledIn)) {
      const what = cartOf(checkout) === cartOf(asFilledIn) ? 'address' : 'cart'
      const words = `The ${what} has changed, and so have the methods. Check them and place the order again.`
      checkouts.set(String(asFilledIn.id), asFilledIn)
      return showCheckout(shop, res, { checkout: asFilledIn, fields, alert: { look: 'wait', words } })
    }
    const { shipment, payment } = fields
    try {
      const { customer } = asFilledIn
      const order = await checkout.placeOrder({ shipmentMethod: shipment, paymentMethod: payment, customer })
      res.redirect(303, `/orders/${order.id}/${order.paymentUrl ? 'payment' : ''}`)
    } catch (error) {
      if (!hasCode(error, 'ARGUMENT_INVALID')) throw error
      await showCheckout(shop, res, { checkout, fields, alert: { look: 'bad', words: error.message } })
    }
  })
}

type SentCheckout = Required<Pick<ShownCheckout, 'checkout' | 'fields'>> & { asFilledIn: Checkout }

/** `fields`: the form as it was sent. Default: as the checkout is. */
interface ShownCheckout extends Pick<CheckoutView, 'faults' | 'alert'> {
  checkout: Checkout
  fields?: CheckoutFields
}

async function showCheckout(shop: Shop, res: Response, shown: ShownCheckout) {
  const { checkout, faults, alert } = shown
  const [shipment, payment] = await Promise.all([checkout.shipmentMethods(), checkout.paymentMethods()])
  const services = serviceTypes.filter((type) => shop.services.active(type, checkout.shop).length > 0)
  const page = checkoutPage({
    ...{ checkout, services, methods: { shipment, payment }, faults, alert },
    fields: { ...fieldsOfCheckout(checkout), ...shown.fields },
  })
  sendPage(res, faults === undefined && alert?.look !== 'bad' ? 200 : 422, page)
}

function orderRoutes(router: Router, shop: Shop): void {
  const onOrder = (
    method: 'get' | 'post',
    path: string,
    answer: (order: Order, res: Response, req: Request) => Promise<void> | void,
  ) =>
    router[method](`/orders/:id${path}`, form, (req: Request, res: Response) => {
      const order = shop.order(Number(req.params.id))
      if (order) return answer(order, res, req)
      sendPage(res, 404, { title: 'There is no such order' })
    })

  router.get('/orders', (_req, res) => sendPage(res, 200, ordersPage(shop.orders)))
  onOrder('get', '', (order, res) => sendPage(res, 200, orderPage(order)))

  onOrder('get', '/payment', (order, res) => {
    if (!order.paymentUrl) return res.redirect(303, `/orders/${order.id}`)
    sendPage(res, 200, toPaymentPage(order, order.paymentUrl))
  })

  onOrder('post', '/pay', async (order, res) => {
    if (order.status === 'paid') return res.redirect(303, `/orders/${order.id}`)
    try {
      const { paymentUrl } = await shop.payAgain(order.id)
      res.redirect(303, `/orders/${order.id}/${paymentUrl ? 'payment' : ''}`)
    } catch (error) {
      if (!hasCode(error, 'ARGUMENT_INVALID')) throw error
      sendPage(res, 422, orderPage(order, error.message))
    }
  })

  onOrder('get', '/own-payment', (order, res) => {
    if (!paysOwn(order)) return res.redirect(303, `/orders/${order.id}`)
    sendPage(res, 200, ownPaymentPage(order))
  })

  onOrder('post', '/own-payment', async (order, res, req) => {
    const { end } = (req.body ?? {}) as { end?: unknown }
    const chosen = ownEnds.find((one) => one === end)
    if (!chosen || !paysOwn(order)) return sendPage(res, 422, ownPaymentPage(order))
    await shop.endOwnPayment(order.id, chosen)
    res.redirect(303, `/orders/${order.id}/return`)
  })

  onOrder('get', '/return', async (order, res) => {
    await shop.returnToShop(order.id)
    res.redirect(303, `/orders/${order.id}`)
  })
}

const cartOf = ({ shop, currency, lines }: Checkout) => JSON.stringify([shop, currency, lines])
const questionOf = ({ shop, language, currency, lines, address, billing, customer }: Checkout) =>
  JSON.stringify([shop, language, currency, lines, address, billing, customer.company])

/** Whether the methods of a checkout could be others now. */
const hasChanged = (before: Checkout, now: Checkout): boolean => questionOf(before) !== questionOf(now)
