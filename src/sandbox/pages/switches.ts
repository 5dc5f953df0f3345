import { html } from 'hono/html'
import type { Switch } from '../switches.ts'
import { optionList } from './fields.ts'
import { type Html, messageBox, type Page } from './layout.ts'

export interface SwitchesView {
  switches: Switch[]
  /** Milliseconds since 1970. */
  now: number
  movesProviders: boolean
  message?: string
}

const moves = { '10m': '10 minutes', '2h': '2 hours', '1d': 'A day', '1month': 'A month' }

export const switchesPage = ({ switches, now, movesProviders, message }: SwitchesView): Page => ({
  title: 'Switches',
  content: html`${messageBox(message)}
<p class="hint">Habits of live platforms beyond the contract, and faults on the way. Changes apply from the next call on.</p>
<section class="card"><h2>The clock</h2>
<p>It is <strong>${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC</strong> in the shop.
${movesProviders ? 'The provider moves with it.' : 'The provider keeps its own time: only one that runs under purveyor dev or simulate moves with it.'}</p>
<form method="post" action="/clock"><div class="row">${Object.entries(moves).map(([by, words]) => html`<button class="quiet" name="by" value="${by}">${words} forward</button>`)}</div></form></section>
<section class="card"><h2>Habits and faults</h2>
<form method="post" action="/switches">
<div class="columns">${switches.map(switchField)}</div>
<div class="row"><button>Set the switches</button><button class="quiet" name="reset" value="1">Restore the defaults</button></div>
</form></section>`,
})

const switchField = ({ name, title, value, values }: Switch): Html => html`<label>${title}
<select name="${name}">${optionList(Object.entries(values), value)}</select></label>`
