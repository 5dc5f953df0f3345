import type { Request, Response } from 'express'
import type { z } from 'zod'
import { layout, type Page } from '../pages/layout.ts'

export function sendPage(res: Response, status: number, page: Page): void {
  res
    .status(status)
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(String(layout(page, res.locals.nonce, res.req.path)))
}

/** Answers programs, which send JSON, with JSON, and redirects browsers, which send forms, to a page. */
export const isJson = (req: Request): boolean => req.is('application/json') === 'application/json'

export const messageOf = (error: z.ZodError): string =>
  `Please correct: ${[...new Set(error.issues.map((issue) => String(issue.path[0])))].join(', ')}.`
