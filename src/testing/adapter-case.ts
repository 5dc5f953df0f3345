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

/** Registers each case as a test of its own. A skipped case states its reason. */
export function register<S>(test: Test, cases: readonly AdapterCase<S>[], subject: S): void {
  for (const { name, leftOut, run } of cases) {
    const reason = leftOut?.(subject)
    if (reason === undefined) test(name, () => run(subject))
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

/** Rejects if the promise takes longer, in milliseconds. */
export async function within<T>(ms: number, what: string, promise: Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
