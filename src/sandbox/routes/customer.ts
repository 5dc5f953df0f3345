import { randomBytes } from 'node:crypto'
import express, { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import type { Checkout } from '../checkout.ts'
import type { Order } from '../orders.ts'
import { cartPage } from '../pages/cart.ts'
import { checkoutPage } from '../pages/checkout.ts'
import { orderPage, ordersPage, toPaymentPage } from '../pages/orders.ts'
import { countries, languages, seededAddress } from '../payloads.ts'
import type { Shop } from '../shop.ts'
import { messageOf, sendPage } from './send.ts'

const text = z.string().trim().min(1).max(100)
const country = z.enum(countries)
const language = z.enum(languages)
const cartForm = z.object({
  zipcode: text.optional(),
  country: country.default('nl'),
  language: language.default('en'),
})
const checkoutForm = z.object({
  firstname: text,
  lastname: text,
  email: z.email(),
  address1: text,
  number: text,
  zipcode: text,
  city: text,
  country,
  language,
  shipment: z.string().max(200).optional(),
  payment: z.string().max(200).optional(),
})

const keepCheckouts = 1000

/** The customer's pages: cart, checkout, the way to the payment, and the order. */
export const customerRoutes = (shop: Shop): Router => Router().use(checkoutRoutes(shop), orderRoutes(shop))

/** Open checkouts by the id in their address; the oldest goes first. */
class Checkouts {
  readonly #open = new Map<string, Checkout>()

  add(checkout: Checkout): string {
    const id = randomBytes(9).toString('base64url')
    this.#open.set(id, checkout)
    if (this.#open.size > keepCheckouts) this.#open.delete(this.#open.keys().next().value!)
    return id
  }

  get = (id: string): Checkout | undefined => this.#open.get(id)
}

function checkoutRoutes(shop: Shop): Router {
  const router = Router()
  const form = express.urlencoded({ extended: false, limit: '64kb' })
  const checkouts = new Checkouts()

  router.get('/', async (req, res) => {
    const query = cartForm.safeParse(req.query)
    const { zipcode, country = 'nl', language = 'en' } = query.data ?? {}
    const destination = { zipcode: zipcode ?? seededAddress.zipcode, country }
    if (!query.success) {
      return sendPage(res, 422, cartPage({ destination, language, message: messageOf(query.error) }))
    }
    const estimate = zipcode === undefined ? undefined : await shop.estimate(destination, language)
    sendPage(res, 200, cartPage({ destination, language, estimate }))
  })

  router.get('/checkout', (req, res) => {
    const { data } = cartForm.safeParse(req.query)
    const { zipcode, country } = data ?? {}
    const elsewhere = zipcode !== undefined && zipcode !== seededAddress.zipcode
    const address = { ...(country && { country }), ...(elsewhere && { zipcode }) }
    res.redirect(303, `/checkout/${checkouts.add(shop.checkout({ language: data?.language, address }))}`)
  })

  router.get('/checkout/:id', async (req, res) => {
    const checkout = checkouts.get(req.params.id)
    if (!checkout) return void res.redirect(303, '/checkout')
    await showCheckout(shop, res, { id: req.params.id, checkout })
  })

  router.post('/checkout/:id/address', form, async (req, res) => {
    const fields = checkoutForm.safeParse(req.body)
    const checkout = checkouts.get(req.params.id!)
    if (!checkout) return void res.redirect(303, '/checkout')
    if (!fields.success)
      return showCheckout(shop, res, { id: req.params.id!, checkout, fault: messageOf(fields.error) })
    res.redirect(303, `/checkout/${checkouts.add(checkoutOf(shop, fields.data))}`)
  })

  router.post('/checkout/:id/order', form, async (req, res) => {
    const id = req.params.id!
    const fields = checkoutForm.safeParse(req.body)
    const checkout = checkouts.get(id)
    if (!checkout) return void res.redirect(303, '/checkout')
    if (!fields.success) return showCheckout(shop, res, { id, checkout, fault: messageOf(fields.error) })
    const asFilledIn = checkoutOf(shop, fields.data)
    if (addressChanged(checkout, asFilledIn)) {
      const hint = 'The address has changed, and so have the methods. Check them and place the order again.'
      return showCheckout(shop, res, { id: checkouts.add(asFilledIn), checkout: asFilledIn, hint })
    }
    const { shipment, payment } = fields.data
    try {
      const { customer } = asFilledIn
      const order = await checkout.placeOrder({ shipmentMethod: shipment, paymentMethod: payment, customer })
      res.redirect(303, `/orders/${order.id}/${order.paymentUrl ? 'payment' : ''}`)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      await showCheckout(shop, res, { id, checkout, fault: error.message })
    }
  })

  return router
}

function checkoutOf(shop: Shop, fields: z.output<typeof checkoutForm>): Checkout {
  const { firstname, lastname, email, address1, number, zipcode, city, country, language } = fields
  return shop.checkout({
    language,
    customer: { firstname, lastname, email },
    address: { address1, number, zipcode, city, country },
  })
}

interface ShownCheckout {
  id: string
  checkout: Checkout
  /** Why the form was refused. */
  fault?: string
  hint?: string
}

async function showCheckout(shop: Shop, res: Response, { id, checkout, fault, hint }: ShownCheckout) {
  const [shipmentMethods, paymentMethods] = await Promise.all([
    checkout.shipmentMethods(),
    checkout.paymentMethods(),
  ])
  const { customer, address, language } = checkout
  const services = (['shipment', 'payment'] as const).filter((type) => shop.services.active(type).length > 0)
  const methods = { services, shipmentMethods, paymentMethods }
  const page = checkoutPage({ id, customer, address, language, ...methods, message: fault ?? hint })
  sendPage(res, fault === undefined ? 200 : 422, page)
}

function orderRoutes(shop: Shop): Router {
  const router = Router()

  const withOrder =
    (answer: (order: Order, req: Request, res: Response) => Promise<void> | void) =>
    (req: Request, res: Response) => {
      const order = shop.order(Number(req.params.id))
      if (order) return answer(order, req, res)
      sendPage(res, 404, { title: 'There is no such order', content: '' as never })
    }

  router.get('/orders', (_req, res) => sendPage(res, 200, ordersPage(shop.orders)))
  router.get(
    '/orders/:id',
    withOrder((order, _req, res) => sendPage(res, 200, orderPage(order))),
  )

  router.get(
    '/orders/:id/payment',
    withOrder((order, _req, res) => {
      if (!order.paymentUrl) return res.redirect(303, `/orders/${order.id}`)
      sendPage(res, 200, toPaymentPage(order, order.paymentUrl))
    }),
  )

  router.post(
    '/orders/:id/pay',
    withOrder(async (order, _req, res) => {
      if (order.status === 'paid') return res.redirect(303, `/orders/${order.id}`)
      try {
        const { paymentUrl } = await shop.payAgain(order.id)
        res.redirect(303, `/orders/${order.id}/${paymentUrl ? 'payment' : ''}`)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        sendPage(res, 422, orderPage(order, error.message))
      }
    }),
  )

  router.get(
    '/orders/:id/return',
    withOrder(async (order, _req, res) => {
      await shop.returnToShop(order.id)
      res.redirect(303, `/orders/${order.id}`)
    }),
  )

  return router
}

const addressChanged = (one: Checkout, other: Checkout): boolean =>
  one.language !== other.language || JSON.stringify(one.address) !== JSON.stringify(other.address)
