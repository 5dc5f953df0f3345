import { html } from 'hono/html'
import { pill } from '../../http/pages/parts/facts.ts'
import type { Html } from '../../http/pages/parts/frame.ts'
import type { Switch } from '../switches.ts'
import { optionList } from './fields.ts'
import type { Page } from './page.ts'

export interface SwitchesView {
  switches: Switch[]
  /** Milliseconds since 1970. */
  now: number
  movesProviders: boolean
  message?: string
}

const moves = { '10m': '10 minutes', '2h': '2 hours', '1d': 'A day', '1month': 'A month' }

const isChanged = ({ value, values }: Switch) => value !== Object.keys(values)[0]

/** The clock, then the switches: those that are changed first. */
export const switchesPage = ({ switches, now, movesProviders, message }: SwitchesView): Page => {
  const changed = switches.filter(isChanged)
  return {
    title: 'Switches',
    facts:
      'Habits of live platforms beyond the contract, and faults on the way. They count from the next call on.',
    alert: message === undefined ? undefined : { look: 'bad', words: message },
    content: html`<section class="row clock" aria-labelledby="clock"><div><h2 id="clock">The clock</h2><p>It is <strong class="num">${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC</strong> in the shop.
${movesProviders ? 'The provider moves with it.' : html`The provider keeps its own time: only one that runs under <code>purveyor dev</code> or <code>simulate</code> moves with it.`}</p></div>
<form method="post" action="/clock" class="row">${Object.entries(moves).map(([by, words]) => html`<button class="quiet small" name="by" value="${by}">${words} forward</button>`)}</form></section>
<form method="post" action="/switches">
${group(`Changed (${changed.length})`, changed)}${group(
  'Habits and faults',
  switches.filter((one) => !isChanged(one)),
)}
<div class="row"><button>Set the switches</button><button class="quiet" name="reset" value="1">Restore the defaults</button></div>
</form>`,
  }
}

const group = (title: string, switches: readonly Switch[]): Html | string =>
  switches.length === 0
    ? ''
    : html`<fieldset class="field"><legend>${title}</legend><div class="columns narrow">${switches.map(switchField)}</div></fieldset>`

const switchField = (one: Switch): Html =>
  html`<label class="field"><span>${one.title} ${isChanged(one) ? pill('wait', 'changed') : ''}</span><select name="${one.name}">${optionList(Object.entries(one.values), one.value)}</select></label>`
