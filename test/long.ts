/**
 * Whether tests run in their long form, as `npm run torture -- --tests` runs them: more inputs, more sizes of pages, and a process for each
 * command. The short form holds the same promises with less of each.
 */
export const isLong = process.env.TEST_FORM === 'long'

/** How many of something a test does, in its short and in its long form. */
export const sized = (short: number, long: number): number => (isLong ? long : short)
