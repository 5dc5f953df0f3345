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
  const note = () => {
    res.off('prefinish', note).off('close', note)
    const { answer } = res.locals as { answer?: { error?: { message: string } } }
    const error = answer?.error
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
      answer: answer === undefined ? '' : startOf(JSON.stringify(answer)),
      faults: [],
      meaning: `${error ? `The platform refuses: ${error.message}` : "The platform's API."}${notes}`,
    })
  }
  // Before the caller has the answer, or when the call ends without one.
  res.once('prefinish', note).once('close', note)
}

/** The most characters of an answer that the log keeps: a page of a list can be long, and there are many. */
const keptAnswer = 16 * 1024

/** A copy of the first characters. A plain `slice` would keep the whole text in memory. */
const startOf = (text: string): string => Buffer.from(text.slice(0, keptAnswer)).toString()
