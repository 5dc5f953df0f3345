import express, { type Request, type RequestHandler, type Response } from 'express'
import { pagePolicy } from '../../http/pages/policy.ts'
import { layout, type Page } from '../pages/layout.ts'

export const form: RequestHandler = express.urlencoded({ extended: false, limit: '64kb' })

/** Our own style and scripts alone. Icons of methods are on hosts of providers. */
const policy = pagePolicy({
  style: 'self',
  assets: { style: false, script: true },
  allow: { connect: ["'self'"], img: ['https:'] },
})

export function sendPage(res: Response, status: number, page: Page): void {
  const { app, path, query } = res.req
  const q = path === '/log' && typeof query.q === 'string' ? query.q.slice(0, 200) : ''
  const content = layout(page, app.locals.shop, { path, q })
  res.status(status).set(policy).type('html').send(String(content))
}

/** Answers programs, which send JSON, with JSON, and redirects browsers, which send forms, to a page. */
export const isJson = (req: Request): boolean => req.is('application/json') === 'application/json'
