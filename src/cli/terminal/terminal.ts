import { styleText } from 'node:util'

/** The parts of an output stream that say what it can show. */
export type Output = Pick<NodeJS.WriteStream, 'write'> &
  Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'hasColors'>>

export type Colour = 'red' | 'green' | 'yellow' | 'bold' | 'dim'

/**
 * Whether an output gets colours. `FORCE_COLOR` decides if it is set: `0` and `false` are no. Otherwise a terminal gets them, unless
 * `NO_COLOR` is set and not empty. Node reads both in this order.
 */
export function hasColours(to: Output, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none } = env
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  if (none) return false
  return to.isTTY === true && to.hasColors?.(env) === true
}

/** The text in a colour, or as it is where the output gets no colours. */
export const coloured = (colour: Colour, text: string, to: Output = process.stdout): string =>
  // The third argument is for Node 24: the decision is made above.
  text !== '' && hasColours(to) ? styleText(colour, text, { validateStream: false }) : text

/** The columns of a terminal; `undefined` where the output is none, so that what is piped is the same everywhere. */
export const widthOf = (to: Output): number | undefined => (to.isTTY && to.columns) || undefined
