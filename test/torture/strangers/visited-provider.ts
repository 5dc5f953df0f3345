import { pino } from 'pino'
import { createProvider, html, type Provider, type ProviderOptions, price } from '../../../src/index.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { production } from '../../production-store.ts'
import { metricsToken, withPage } from './target.ts'

const method = { id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }

/** A provider in production with payment pages, and with the limits that it has by itself unless others are given. */
export const visitedProvider = (
  store: string | StorePort,
  limits?: NonNullable<ProviderOptions['http']>['limits'],
): Provider =>
  createProvider({
    ...production,
    store,
    // A log costs what it costs in production, and nobody reads this one.
    logger: pino(pino.destination('/dev/null')),
    rates: { name: 'table', quote: ({ quote }) => (quote.products.length > 0 ? [method] : []) },
    payments: withPage('page', {
      render: () => html`<form method="post"><button name="outcome" value="paid">Pay</button></form>`,
      submit: () => ({ status: 'pending' }),
    }),
    http: { stopDelay: 0, openapi: true, metricsToken, ...(limits && { limits }) },
  })
