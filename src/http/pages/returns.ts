import type { Request, Response, Router } from 'express'
import { Problem } from '../../contract/index.ts'
import type { Attempt } from '../../payments/payment.ts'
import { readReturn } from '../../use-cases/payments/read-return.ts'
import type { Workings } from '../../use-cases/workings.ts'
import { readBytes } from '../read-body.ts'
import type { Visits } from './visits.ts'

const mostReturned = 64 * 1024

/**
 * Adds the way back from a payment service to the router of the pages. Behind a GET no form was posted, so the shop can follow at once; a
 * bank's page may post, and its own `form-action` counts for all that follows.
 */
export function addReturns(router: Router, workings: Workings, visits: Visits): void {
  /** Nothing that a bank's page posts keeps its customer here, also where a body parser of the app around has taken it. */
  async function readReturned(req: Request, res: Response, { shopId: shop }: Attempt): Promise<Buffer> {
    const isRead = req.readableEnded || (req as { body?: unknown }).body !== undefined
    const body = isRead
      ? new Problem('BODY_ALREADY_READ')
      : await readBytes(req, mostReturned).catch((problem: Problem) => problem)
    if (!(body instanceof Problem)) return body
    // The caller may go on sending.
    res.set('Connection', 'close')
    workings.world.log.error(
      { shop, code: body.code },
      'Purveyor cannot read the form that a bank posted with a returning customer',
    )
    return Buffer.alloc(0)
  }

  router.get('/:token/return{/:form}', async (req, res) => {
    const { attempt, payment, address } = await visits.of(req, res)
    const sent = { method: 'GET', query: queryOf(req), body: Buffer.alloc(0) } as const
    const to = await readReturn(workings, attempt, sent, formOf(req))
    res.redirect(303, to === 'page' ? address : payment.redirectUrl)
  })
  router.post('/:token/return{/:form}', async (req, res) => {
    const { attempt, address } = await visits.of(req, res)
    const body = await readReturned(req, res, attempt)
    const sent = { method: 'POST', query: queryOf(req), body } as const
    const to = await readReturn(workings, attempt, sent, formOf(req))
    res.redirect(303, to === 'page' ? address : `${address}/done`)
  })
}

/** The number of the form in a return address. */
function formOf({ params: { form } }: Request): number | undefined {
  if (form === undefined) return undefined
  if (/^\d{1,6}$/.test(String(form))) return Number(form)
  throw new Problem('NOT_FOUND')
}

const queryOf = ({ originalUrl }: Request): string => {
  const at = originalUrl.indexOf('?')
  return at < 0 ? '' : originalUrl.slice(at + 1)
}
