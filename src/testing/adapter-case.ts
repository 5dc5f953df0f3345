import { wrongCall } from '../errors/errors.ts'

/** One rule for every adapter of a kind. */
export interface AdapterCase<S> {
  /** A plain sentence. */
  name: string
  /** The reason why it does not apply to this adapter; otherwise `undefined`. */
  leftOut?(subject: S): string | undefined
  run(subject: S): Promise<void>
}

type Rule<S> = AdapterCase<S>['run'] | Omit<AdapterCase<S>, 'name'>

/** Cases by name. A rule that is a function alone applies to every adapter. */
export const casesOf = <S>(rules: Record<string, Rule<S>>): AdapterCase<S>[] =>
  Object.entries(rules).map(([name, rule]) => ({
    name,
    ...(typeof rule === 'function' ? { run: rule } : rule),
  }))

/** A rule with the reason why it may be left out. */
export const unless = <S>(
  leftOut: NonNullable<AdapterCase<S>['leftOut']>,
  run: AdapterCase<S>['run'],
): Rule<S> => ({ leftOut, run })

/** The context that vitest and node:test give to a running test. */
export interface RunningTest {
  /** Marks the running test as skipped. */
  skip?: (reason?: string) => unknown
}

/**
 * The `test` of vitest, of node:test, or of any runner that takes a name and a function. A runner that gives the function a context with
 * `skip`, as these two and mocha (as `this`) do, shows what is skipped while it runs.
 */
export interface Test {
  (name: string, run: (this: unknown, running?: RunningTest) => Promise<void>): unknown
  /** Registers a test that does not apply. Default: it is left out. */
  skip?: (name: string, run: () => Promise<void>) => unknown
}

/** Makes a call that registers each case as a test of its own. A skipped case states its reason. */
export const registering =
  <S extends { adapter: object }>(call: string, cases: readonly AdapterCase<S>[]) =>
  (given: S & { test: Test }): void => {
    const { test, adapter } = Object(given) as typeof given
    if (typeof test !== 'function' || typeof adapter !== 'object' || adapter === null)
      throw wrongCall(`${call}() takes an object such as { test, adapter }`)
    for (const { name, leftOut, run } of cases) {
      const reason = leftOut?.(given)
      if (reason === undefined) test(name, () => run(given))
      else (test.skip ?? test)(`${name} (left out: ${reason})`, async () => {})
    }
  }

/** Freezes the value and everything in it, so that changes throw. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}

/** Rejects if the call takes longer than two seconds, or fails. */
export async function within<T>(what: string, call: () => Promise<T> | T): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${what} took longer than 2000 ms`)), 2_000)
  try {
    return await Promise.race([call(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
