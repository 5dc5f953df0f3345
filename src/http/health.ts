import { Router } from 'express'
import type { Provider } from '../use-cases/provider.ts'
import { rateAdaptersOf } from '../use-cases/quote-rates.ts'
import { noteProblem } from './access-log.ts'

const recently = 60_000

/** `/health/live`: the process answers. `/health/ready`: it takes traffic, with the reason when it does not. */
export function healthRoutes(provider: Provider, state: { stopping: boolean }): Router {
  const router = Router()
  router.get('/live', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/ready', async (_req, res) => {
    if (state.stopping) {
      noteProblem(res, 'SHUTTING_DOWN')
      return void res.status(503).json({ status: 'stopping' })
    }
    try {
      const notifications = await provider.store.countNotifications()
      // Everybody can ask: how the business stands is not for everybody.
      const details = provider.development ? { notifications, blocking: blockingAdapters(provider) } : {}
      res.json({ status: 'ok', store: 'ok', ...details })
    } catch {
      noteProblem(res, 'STORE_UNAVAILABLE')
      res.status(503).set('Retry-After', '5').json({ status: 'unavailable', store: 'unreachable' })
    }
  })
  return router
}

/** Rate adapters that held up the process a moment ago. A blocked process is slow, and not out of order. */
function blockingAdapters(provider: Provider): string[] {
  const { now } = provider.world
  return [...rateAdaptersOf(provider).blocking].flatMap(([name, at]) => (now() - at < recently ? name : []))
}
