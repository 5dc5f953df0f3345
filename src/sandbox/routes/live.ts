import type { Request, Response } from 'express'
import type { State } from '../state.ts'

/** Changes within this time send one event, in milliseconds. */
const gather = 50

/** Sends a page an event after a change. The page then loads itself again. */
export const liveRoute = (state: State) => (req: Request, res: Response) => {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  res.write(':\n\n')
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      res.write('data: changed\n\n')
    }, gather)
  }
  state.changes.on('change', send)
  req.on('close', () => {
    state.changes.off('change', send)
    clearTimeout(timer)
  })
}
