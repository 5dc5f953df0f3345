import { hash } from 'node:crypto'
import { type Brand, fontStacks, type Scheme, schemesOf } from '../../../brand/brand.ts'
import { hashedFile } from '../assets.ts'
import { cardFrame } from './card.css.ts'
import { common } from './common.css.ts'
import { console } from './console.css.ts'
import { shop } from './shop.css.ts'
import { workFrame } from './work.css.ts'

/** The only style of a payment page, in the page itself. Its hash is in the content policy, so nothing else can be a style. */
export interface PageStyle {
  css: string
  /** As a content policy names it, without quotes. */
  source: string
}

export function styleOf(brand: Brand): PageStyle {
  const css = common + cardFrame + brandRule(brand)
  return { css, source: `sha256-${hash('sha256', css, 'base64')}` }
}

/** The tokens that a brand changes; `''` for one without a look of its own. */
function brandRule(brand: Brand): string {
  const { light, dark } = schemesOf(brand)
  const own = { ...light, ...lookOf(brand) }
  return rule(own, '') + rule(dark, '@media screen and (prefers-color-scheme:dark)')
}

const lookOf = ({ radius, font }: Brand) => ({
  ...(radius !== undefined && { radius: `${radius}px` }),
  ...(font !== undefined && { font: fontStacks[font] }),
})

function rule(values: Scheme, medium: string): string {
  const set = Object.entries(values).map(([name, value]) => `--${name}:${value}`)
  if (set.length === 0) return ''
  const whole = `:root{${set.join(';')}}`
  return medium === '' ? whole : `${medium}{${whole}}`
}

/** The style of all other pages, as a file. */
export const stylesheet = hashedFile('pages', '.css', Buffer.from(common + workFrame + shop + console))
