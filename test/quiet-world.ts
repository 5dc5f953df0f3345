import type { World } from '../src/world.ts'
import { unobserved } from '../src/world.ts'

const nothing = () => {}

/** A log that keeps nothing. */
export const noLog = { debug: nothing, info: nothing, warn: nothing, error: nothing }

type QuietWorld = Omit<World, 'node' | 'log' | 'observer' | 'outgoing'> & Partial<World['outgoing']>

let worlds = 0

/** A world without a log and an observer, and without a network but for what is given. */
export const quietWorld = ({
  check = nothing,
  close = nothing,
  fetch,
  send,
  ...world
}: QuietWorld): World => ({
  ...world,
  node: `node-${process.pid}-${++worlds}`,
  log: noLog,
  observer: unobserved,
  outgoing: {
    check,
    close,
    fetch: fetch ?? (() => Promise.reject(new Error('no network here'))),
    send: send ?? (() => Promise.reject(new Error('no network here'))),
  },
})
