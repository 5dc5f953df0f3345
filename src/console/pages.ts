import type { ConsoleParts } from './desk.ts'
import { anomaliesPage } from './pages/anomalies.ts'
import { healthPage } from './pages/health.ts'
import { nowPage } from './pages/now.ts'
import { paymentPage, rawPayment } from './pages/payment.ts'
import { paymentsPage } from './pages/payments.ts'
import { ratesPage, tryPage } from './pages/rates.ts'
import { shopPage, shopsPage } from './pages/shops.ts'
import { auditPage, changesPage } from './pages/trail.ts'
import { lanePage, webhooksPage } from './pages/webhooks.ts'
import type { Page, View } from './view.ts'

export { csvOf } from './pages/payments.ts'

/** A page, the address that it leads to, or `undefined` where there is none. */
type Rendered = Promise<Page | { to: string } | undefined>
type Render = (parts: ConsoleParts, view: View, params: Readonly<Record<string, string>>) => Rendered

/** Every page, by its address. All are open to readers; what only others may see, a page leaves away. */
export const pages: Readonly<Record<string, Render>> = {
  '/': nowPage,
  '/payments': paymentsPage,
  '/payments/:shop/:order': paymentPage,
  '/payments/:shop/:order/raw': rawPayment,
  '/anomalies': anomaliesPage,
  '/webhooks': webhooksPage,
  '/webhooks/:shop/:host': lanePage,
  '/rates': ratesPage,
  '/rates/try': tryPage,
  '/shops': shopsPage,
  '/shops/:shop': shopPage,
  '/changes': changesPage,
  '/audit': auditPage,
  '/health': healthPage,
}
