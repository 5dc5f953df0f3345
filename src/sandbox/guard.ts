import type { Request, Response } from 'express'
import { isForwarded } from '../http/own-machine.ts'
import { isLoopbackAuthority } from '../network/loopback.ts'
import { ApiError } from './api/answers.ts'
import { answerError } from './api/send.ts'

/**
 * Admits programs on this machine, the sandbox's own pages, and customers who return from a payment page. Other websites get 403 on every
 * address, before credentials and bodies are read. Foreign host names that point to this machine get 403 too.
 */
export async function ownCallersOnly(req: Request, res: Response, next: () => void): Promise<void> {
  const why = whyRefused(req)
  if (why === undefined) next()
  else
    await refuse(req, res, `${why} (SANDBOX_CALLER_REFUSED). Call it from this machine, as ${calledAs(req)}.`)
}

async function refuse(req: Request, res: Response, message: string): Promise<void> {
  const title = 'The sandbox answers this machine and its own pages only'
  if (isApi(req)) answerError(req, res, new ApiError(403, message))
  else if (req.accepts(['html', 'json']) === 'json') res.status(403).json({ error: message })
  else {
    const { sendPage } = await import('./routes/send.ts')
    sendPage(res, 403, { title, content: message })
  }
}

const calledAs = (req: Request) => `${req.protocol}://127.0.0.1:${req.socket.localPort}`

/** Programs send neither `Origin` nor `Sec-Fetch-Site`; no script in a browser can leave them out or change them. */
function whyRefused(req: Request): string | undefined {
  const [host = '', ...moreHosts] = req.headersDistinct.host ?? []
  if (moreHosts.length > 0 || !isLoopbackAuthority(host)) return 'The Host header names another machine'
  if (isForwarded(req.headers)) return 'A proxy or tunnel has passed the request on'
  const origin = req.get('origin')
  if (origin !== undefined && origin.toLowerCase() !== `${req.protocol}://${host}`.toLowerCase())
    return 'The Origin header names another website'
  const site = req.get('sec-fetch-site')
  const own = site === undefined || site === 'same-origin' || site === 'none'
  return own || followsLink(req) ? undefined : 'Another website in the browser makes this call'
}

/** A top-level navigation of the browser, as at the end of a payment page. The API and the webhooks have no pages. */
const followsLink = (req: Request): boolean =>
  req.method === 'GET' &&
  req.get('sec-fetch-mode') === 'navigate' &&
  req.get('sec-fetch-dest') === 'document' &&
  !isApi(req) &&
  !isUnder('webhooks', req)

/** An address of the API at the root of the host. No page has a format in its address, or begins with a language. */
export const isApiPath = (path: string): boolean => /\.(json|xml)$|^\/[a-z]{2}\//i.test(path)

const isApi = (req: Request): boolean => isUnder('api', req) || isApiPath(req.path)

const isUnder = (folder: string, { path }: Request): boolean =>
  `${path.toLowerCase()}/`.startsWith(`/${folder}/`)
