import express, { type Request, type RequestHandler, type Response } from 'express'
import { type BarState, layout } from '../pages/layout.ts'
import type { Page } from '../pages/page.ts'

export const form: RequestHandler = express.urlencoded({ extended: false, limit: '64kb' })

/** Answers with a page in the shop's frame. Its bar shows what `res.locals.state` returns. */
export function sendPage(res: Response, status: number, page: Page): void {
  const { nonce, state } = res.locals as { nonce: string; state?: () => BarState }
  res
    .status(status)
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(String(layout(page, { nonce, path: res.req.path, state: state?.() })))
}

/** Answers programs, which send JSON, with JSON, and redirects browsers, which send forms, to a page. */
export const isJson = (req: Request): boolean => req.is('application/json') === 'application/json'
