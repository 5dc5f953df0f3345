import { pino } from 'pino'
import { createProvider, html, type Provider, price } from '../../../src/index.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { production } from '../../production-store.ts'

export const metricsToken = 'the token of who reads numbers'.replaceAll(' ', '-')

const method = { id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }

/** A provider in production with payment pages and the limits that it has by itself. */
export const visitedProvider = (store: string | StorePort): Provider =>
  createProvider({
    ...production,
    store,
    // A log costs what it costs in production, and nobody reads this one.
    logger: pino(pino.destination('/dev/null')),
    rates: { name: 'table', quote: ({ quote }) => (quote.products.length > 0 ? [method] : []) },
    payments: {
      name: 'page',
      mode: 'live',
      methods: () => [{ id: 'page', title: 'Page' }],
      start: () => ({ page: true }),
      page: {
        render: () => html`<form method="post"><button name="outcome" value="paid">Pay</button></form>`,
        submit: () => ({ status: 'pending' }),
      },
    },
    http: { stopDelay: 0, openapi: true, metricsToken },
  })
