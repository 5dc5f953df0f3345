import type { Request, Response } from 'express'
import type { Switches } from '../switches.ts'
import { ApiError } from './api-error.ts'

/**
 * Answers as the switch `api` says, instead of or around the work. Returns whether the call is finished. Throws an `ApiError` for an error
 * body.
 */
export function faulty(switches: Switches, req: Request, res: Response): boolean {
  const { api } = switches.values
  if (api === 'works' || api === 'limited') return false
  if (api === 'forbidden') throw new ApiError(403, 'Access to this resource is not allowed.')
  if (api === 'broken') throw new ApiError(500, 'Something went wrong.')
  if (switches.once('api', 'limitNext'))
    throw new ApiError(429, 'Too many requests.', { 'retry-after': '12' })
  if (switches.once('api', 'loseNext')) {
    // The work is done, and the answer is lost.
    res.end = (() => {
      req.socket.destroy()
      return res
    }) as typeof res.end
    return false
  }
  if (api === 'html') res.type('html').send('<!doctype html><title>Welcome</title><h1>Welcome</h1>')
  if (api === 'half') res.type('json').send('{"products": [{"id"')
  if (api === 'redirect') res.redirect(302, 'https://elsewhere.example/')
  return true
}
