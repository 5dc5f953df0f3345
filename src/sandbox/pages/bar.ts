import { html } from 'hono/html'
import { counted } from '../../printable.ts'
import type { ProviderFault } from '../provider-state.ts'
import type { Switch } from '../switches.ts'
import { faultBar } from './fault.ts'
import type { Html } from './html.ts'

/** The differences of this shop from a new one. */
export interface BarState {
  /** The switches that are not at their default. */
  changed: Switch[]
  /** How far the shop's clock is ahead of the machine's, in milliseconds. */
  ahead: number
  /** Why the provider beside this shop does not run. */
  fault?: ProviderFault | undefined
}

/** In milliseconds, the largest one first. */
const units = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 }

/** The two largest units of a time in milliseconds: `31 days 2 hours`. */
export function lengthInWords(ms: number): string {
  let left = Math.max(0, ms)
  const parts = Object.entries(units).flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? [] : [counted(count, unit)]
  })
  return parts.slice(0, 2).join(' ') || '0 seconds'
}

/** The bar of every page: which switches are on, how far the clock is ahead, a button that resets both, and why the provider does not run. */
export const stateBar = ({ changed, ahead, fault }: BarState): Html =>
  changed.length === 0 && ahead === 0
    ? html`<div id="state" data-live><p class="banner">A shop on your own machine. No money moves. No switch is on, and the clock is right.</p>${fault === undefined ? '' : faultBar(fault)}</div>`
    : html`<div id="state" data-live><p class="banner">A shop on your own machine. No money moves.</p>
<section class="bar" aria-label="Changed in this shop"><div>
<ul>${changed.map(({ title, value, values }) => html`<li><a href="/switches">${title}</a>: <strong>${sentenceEnd(values[value])}</strong></li>`)}
${ahead === 0 ? '' : html`<li><a href="/switches">The clock</a> is <strong>${lengthInWords(ahead)} ahead</strong></li>`}</ul>
<form method="post" action="/reset"><button class="quiet small" id="reset">Reset</button></form></div></section>${fault === undefined ? '' : faultBar(fault)}</div>`

const sentenceEnd = (words = '') => words.charAt(0).toLowerCase() + words.slice(1)
