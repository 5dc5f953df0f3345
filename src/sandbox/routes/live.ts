import type { Request, Response } from 'express'
import type { State } from '../state.ts'

/** What changes within this time is told once, in milliseconds. */
const gather = 50

/** Tells a page that something has changed. It looks for itself what that is. */
export const liveRoute = (state: State) => (req: Request, res: Response) => {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  res.write(':\n\n')
  let timer: NodeJS.Timeout | undefined
  const tell = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      res.write('data: changed\n\n')
    }, gather)
  }
  state.changes.on('change', tell)
  req.on('close', () => {
    state.changes.off('change', tell)
    clearTimeout(timer)
  })
}
