const name = Symbol.for('purveyor.time')

/** Sets the time for a provider in this process. Used by programs that move the time of a whole process, such as `purveyor dev`. */
export const moveTime = (now: () => number): boolean => Reflect.set(globalThis, name, now)

/** The time in a process whose time is moved; `undefined` in every other. */
export const movedTime = (): (() => number) | undefined =>
  Reflect.get(globalThis, name) as (() => number) | undefined
