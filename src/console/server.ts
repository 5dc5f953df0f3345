import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'
import type { AccessLog } from '../http/access-log.ts'
import { bareExpress, documentHeaders } from '../http/router.ts'
import type { ConsoleRoutes } from './console.ts'

/** Where the console lies on every server. */
export const consolePath = '/console'

/** The address of the console on a server with this address, which may end in it already. */
export const consoleAt = (server: string): string =>
  `${server.replace(/\/(?:console\/?)?$/, '')}${consolePath}`

/** The console on a server of its own. */
export function consoleListener(
  routes: ConsoleRoutes,
  access: AccessLog,
): (req: IncomingMessage, res: ServerResponse) => void {
  const app: Express = bareExpress()
  const headers = documentHeaders()
  app.use(access.middleware)
  app.use((_req, res, next) => {
    for (let name = 0; name < headers.length; name += 2) res.setHeader(headers[name]!, headers[name + 1]!)
    res.setHeader('Cache-Control', 'no-store')
    next()
  })
  app.use(consolePath, routes.router)
  app.get('/', (_req, res) => res.redirect(303, `${consolePath}/`))
  app.use((_req, res) => res.status(404).end())
  return app
}
