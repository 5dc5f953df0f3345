import { randomBytes } from 'node:crypto'
import express, { type Express, type Request, type Response } from 'express'
import helmet from 'helmet'
import { z } from 'zod'
import { cleanBody } from '../contract/index.ts'
import { cartPage } from './pages/cart.ts'
import { checkoutPage } from './pages/checkout.ts'
import { layout, type Page } from './pages/layout.ts'
import { logPage } from './pages/log.ts'
import { orderPage, orderStatus, ordersPage, orderTitle, toPaymentPage } from './pages/orders.ts'
import { countries, languages, seededAddress } from './payloads.ts'
import type { Checkout, Order, Shop } from './shop.ts'

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

/** The pages of the shop, and the address that providers call when a slow payment is done. */
export function shopServer(shop: Shop): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((_req, res, next) => {
    res.locals.nonce = randomBytes(16).toString('base64')
    next()
  })
  app.use(
    helmet({
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'same-origin' },
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          styleSrc: [(_req, res) => `'nonce-${(res as Response).locals.nonce}'`],
          scriptSrc: [(_req, res) => `'nonce-${(res as Response).locals.nonce}'`],
          connectSrc: ["'self'"],
          imgSrc: ['data:', 'https:'],
          formAction: ["'self'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
    }),
  )
  const form = express.urlencoded({ extended: false, limit: '64kb' })
  const checkouts = new Map<string, Checkout>()

  function open(checkout: Checkout): string {
    const id = randomBytes(9).toString('base64url')
    checkouts.set(id, checkout)
    if (checkouts.size > keepCheckouts) checkouts.delete(checkouts.keys().next().value!)
    return id
  }

  app.get('/', async (req, res) => {
    const query = cartForm.safeParse(req.query)
    const { zipcode, country = 'nl', language = 'en' } = query.data ?? {}
    const destination = { zipcode: zipcode ?? seededAddress.zipcode, country }
    if (!query.success) {
      return send(res, 422, cartPage({ destination, language, notice: noticeOf(query.error) }))
    }
    const estimate = zipcode === undefined ? undefined : await shop.estimate(destination, language)
    send(res, 200, cartPage({ destination, language, estimate }))
  })

  app.get('/checkout', (req, res) => {
    const { data } = cartForm.safeParse(req.query)
    const { zipcode, country } = data ?? {}
    const elsewhere = zipcode !== undefined && zipcode !== seededAddress.zipcode
    const address = { ...(country && { country }), ...(elsewhere && { zipcode }) }
    res.redirect(303, `/checkout/${open(shop.checkout({ language: data?.language, address }))}`)
  })

  app.get('/checkout/:id', async (req, res) => {
    const checkout = checkouts.get(req.params.id)
    if (!checkout) return void res.redirect(303, '/checkout')
    await showCheckout(res, 200, req.params.id, checkout)
  })

  app.post('/checkout/:id/address', form, async (req, res) => {
    const fields = checkoutForm.safeParse(req.body)
    const checkout = checkouts.get(req.params.id!)
    if (!checkout) return void res.redirect(303, '/checkout')
    if (!fields.success) return showCheckout(res, 422, req.params.id!, checkout, noticeOf(fields.error))
    res.redirect(303, `/checkout/${open(checkoutOf(fields.data))}`)
  })

  app.post('/checkout/:id/order', form, async (req, res) => {
    const id = req.params.id!
    const fields = checkoutForm.safeParse(req.body)
    const checkout = checkouts.get(id)
    if (!checkout) return void res.redirect(303, '/checkout')
    if (!fields.success) return showCheckout(res, 422, id, checkout, noticeOf(fields.error))
    const asFilledIn = checkoutOf(fields.data)
    if (addressChanged(checkout, asFilledIn)) {
      const notice =
        'The address has changed, and the methods with it: look at them and place the order again.'
      return showCheckout(res, 200, open(asFilledIn), asFilledIn, notice)
    }
    const { shipment, payment } = fields.data
    try {
      const { customer } = asFilledIn
      const order = await checkout.placeOrder({ shipmentMethod: shipment, paymentMethod: payment, customer })
      res.redirect(303, `/orders/${order.id}/${order.paymentUrl ? 'payment' : ''}`)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      await showCheckout(res, 422, id, checkout, error.message)
    }
  })

  const checkoutOf = (fields: z.output<typeof checkoutForm>): Checkout => {
    const { firstname, lastname, email, address1, number, zipcode, city, country, language } = fields
    return shop.checkout({
      language,
      customer: { firstname, lastname, email },
      address: { address1, number, zipcode, city, country },
    })
  }

  async function showCheckout(
    res: Response,
    status: number,
    id: string,
    checkout: Checkout,
    notice?: string,
  ) {
    const [shipmentMethods, paymentMethods] = await Promise.all([
      checkout.shipmentMethods(),
      checkout.paymentMethods(),
    ])
    const { customer, address, language } = checkout
    send(
      res,
      status,
      checkoutPage({
        id,
        customer,
        address,
        language,
        services: shop.services,
        shipmentMethods,
        paymentMethods,
        notice,
      }),
    )
  }

  const withOrder =
    (answer: (order: Order, req: Request, res: Response) => Promise<void> | void) =>
    (req: Request, res: Response) => {
      const order = shop.order(Number(req.params.id))
      if (order) return answer(order, req, res)
      send(res, 404, { title: 'There is no such order', content: '' as never })
    }

  app.get('/orders', (_req, res) => send(res, 200, ordersPage(shop.orders)))
  app.get(
    '/orders/:id',
    withOrder((order, _req, res) => send(res, 200, orderPage(order))),
  )

  app.get(
    '/orders/:id/payment',
    withOrder((order, _req, res) => {
      if (!order.paymentUrl) return res.redirect(303, `/orders/${order.id}`)
      send(res, 200, toPaymentPage(order, order.paymentUrl))
    }),
  )

  app.post(
    '/orders/:id/pay',
    withOrder(async (order, _req, res) => {
      if (order.status === 'paid') return res.redirect(303, `/orders/${order.id}`)
      try {
        const { paymentUrl } = await shop.payAgain(order.id)
        res.redirect(303, `/orders/${order.id}/${paymentUrl ? 'payment' : ''}`)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        send(res, 422, orderPage(order, error.message))
      }
    }),
  )

  app.get(
    '/orders/:id/return',
    withOrder(async (order, _req, res) => {
      await shop.returnToShop(order.id)
      res.redirect(303, `/orders/${order.id}`)
    }),
  )

  app.get(
    '/orders/:id/events',
    withOrder((order, req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      const tell = (changed: Order) => {
        const message = { title: orderTitle(changed), html: String(orderStatus(changed)) }
        res.write(`data: ${JSON.stringify(message)}\n\n`)
      }
      // The status may have changed between the page and this call.
      tell(shop.order(order.id) ?? order)
      req.on(
        'close',
        shop.onStatus((changed) => changed.id === order.id && tell(changed)),
      )
    }),
  )

  app.get('/log', (req, res) => {
    const orderId = /^\d+$/.test(String(req.query.order)) ? Number(req.query.order) : undefined
    const calls = shop.log.calls.filter((call) => orderId === undefined || call.orderId === orderId)
    send(res, 200, logPage(calls, orderId))
  })

  // The spec names no method for this call (spec 4.3 return flow), so all are taken.
  app.all('/webhooks/orders/:id', express.text({ type: () => true, limit: '64kb' }), (req, res) => {
    const at = Date.now()
    const order = shop.order(Number(req.params.id))
    const status = order ? 200 : 404
    shop.log.add({
      at,
      direction: 'provider to shop',
      orderId: order?.id,
      method: req.method,
      url: req.originalUrl,
      request: parsed(req.body),
      status,
      ms: 0,
      answer: '',
      faults: [],
      meaning: order ? 'The shop asks for the status of the payment again.' : 'There is no such order.',
    })
    res.status(status).end()
    if (order) void shop.fetchStatus(order.id)
  })

  app.use((_req, res) => send(res, 404, { title: 'There is no such page', content: '' as never }))
  app.use((error: unknown, _req: Request, res: Response, next: (error: unknown) => void) => {
    if (res.headersSent) return next(error)
    const status = (error as { status?: number }).status ?? 500
    if (status === 500) console.error(error)
    const title = status === 500 ? 'The sandbox has a fault' : 'The shop cannot read this'
    send(res, status, { title, content: '' as never })
  })
  return app
}

function send(res: Response, status: number, page: Page): void {
  res
    .status(status)
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(String(layout(page, res.locals.nonce)))
}

const noticeOf = (error: z.ZodError): string =>
  `Please look at: ${[...new Set(error.issues.map((issue) => String(issue.path[0])))].join(', ')}.`

const addressChanged = (one: Checkout, other: Checkout): boolean =>
  one.language !== other.language || JSON.stringify(one.address) !== JSON.stringify(other.address)

function parsed(body: unknown): unknown {
  if (typeof body !== 'string' || body === '') return undefined
  try {
    const message: unknown = JSON.parse(body)
    cleanBody(message)
    return message
  } catch {
    return body
  }
}
