import { genericIcons } from '../contract/icons.ts'
import { nearest } from './nearest.ts'

/** In a long name two letters may differ, in a short one none: `pix` is a brand, and no `pin`. */
const mostLetters = ({ length }: string): number => (length >= 10 ? 2 : length >= 6 ? 1 : 0)

/** The generic icon name that a name nearly is (spec 2.6). `undefined` for such a name itself, an address, and a name that may be a brand's. */
export function nearestIcon(icon: string): string | undefined {
  if (genericIcons.some((known) => known === icon) || icon.includes(':')) return undefined
  const letters = icon.toLowerCase().replace(/[^a-z0-9]/g, '')
  return nearest(letters, genericIcons, mostLetters)
}
