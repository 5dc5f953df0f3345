import type { Request, Response } from 'express'
import type { Shop } from '../shop.ts'

/** Adds to the log what a reader should know of a call, such as a filter that was ignored. */
export function note(res: Response, text: string): void {
  const notes = (res.locals.notes ?? []) as string[]
  if (!notes.includes(text)) res.locals.notes = [...notes, text]
}

/** Logs a call to the API with its answer. */
export function logged(shop: Shop, req: Request, res: Response): void {
  const at = shop.clock.now()
  const since = performance.now()
  const json = res.json.bind(res)
  let said = ''
  res.json = (body: unknown) => {
    said = JSON.stringify(body)
    return json(body)
  }
  const note = () => {
    res.off('prefinish', note).off('close', note)
    const { error } = (said === '' ? {} : JSON.parse(said)) as { error?: { message: string } }
    const notes = ((res.locals.notes ?? []) as string[]).map((text) => ` ${text}.`).join('')
    shop.log.add({
      at,
      direction: 'provider to shop',
      orderId: undefined,
      method: req.method,
      path: req.originalUrl.slice(1),
      url: req.originalUrl,
      request: req.body,
      status: res.writableEnded ? res.statusCode : undefined,
      ms: Math.round(performance.now() - since),
      answer: said.slice(0, 64 * 1024),
      faults: [],
      meaning: `${error ? `The platform refuses: ${error.message}` : "The platform's API."}${notes}`,
    })
  }
  // Before the caller has the answer, or when the call ends without one.
  res.once('prefinish', note).once('close', note)
}
