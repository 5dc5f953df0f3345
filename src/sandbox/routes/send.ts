import express, { type Request, type RequestHandler, type Response } from 'express'
import { pagePolicy } from '../../http/pages/policy.ts'
import { layout, type ShopState } from '../pages/layout.ts'
import type { Page } from '../pages/page.ts'

export const form: RequestHandler = express.urlencoded({ extended: false, limit: '64kb' })

/** Our own style and scripts alone. Icons of methods are on hosts of providers. */
const policy = pagePolicy({
  style: 'self',
  assets: { style: false, script: true },
  allow: { connect: ["'self'"], img: ['https:'] },
})

/** Answers with a page in the frame of the sandbox, which shows what `state` of the app returns. */
export function sendPage(res: Response, status: number, page: Page): void {
  const { app, path, query } = res.req
  const q = path === '/log' && typeof query.q === 'string' ? query.q.slice(0, 200) : ''
  const { state } = app.locals as { state: () => ShopState }
  res
    .status(status)
    .set(policy)
    .type('html')
    .send(String(layout(page, { path, q, state: state() })))
}

/** Answers programs, which send JSON, with JSON, and redirects browsers, which send forms, to a page. */
export const isJson = (req: Request): boolean => req.is('application/json') === 'application/json'
