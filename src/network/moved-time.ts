const name = Symbol.for('purveyor.time')

/** Leaves what time it is for a provider in this process: for a program that moves the time of a whole process on, as `purveyor dev` does. */
export const moveTime = (now: () => number): boolean => Reflect.set(globalThis, name, now)

/** What time it is in a process whose time is moved on; `undefined` in every other. */
export const movedTime = (): (() => number) | undefined =>
  Reflect.get(globalThis, name) as (() => number) | undefined
