const longest = 200

/** The next step for somebody whose code throws a text or an object. */
export const throwErrors = "Write throw new Error('...') instead: an error names the line that threw it."

/** A value other than an error that the code of a file threw while it was loaded. It has no stack. */
export class ThrownValue extends Error {
  override readonly name = 'ThrownValue'
  readonly value: unknown
  readonly file: string | undefined

  /** `file` is the full path of the one that was loaded, if that is known. */
  constructor(value: unknown, file?: string) {
    super(thrownWords(value))
    this.value = value
    this.file = file
    // It would be that of this framework.
    delete this.stack
  }
}

/** Such as `the code threw the text "x" and no error`. */
export function thrownWords(value: unknown): string {
  if (typeof value === 'string') return `the code threw the text "${value.slice(0, longest)}" and no error`
  return `the code threw ${kindOf(value)} and no error`
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
