import { html, raw } from 'hono/html'
import { empty, note, pill } from '../../http/pages/parts/facts.ts'
import { optionList } from '../../http/pages/parts/forms.ts'
import type { Html } from '../../http/pages/parts/frame.ts'
import { table } from '../../http/pages/parts/table.ts'
import { scenarios } from '../scenarios/index.ts'
import type { ScenarioRuns } from '../scenarios/runs.ts'
import { type Scenario, wordsOf } from '../scenarios/scenario.ts'
import type { Shop } from '../shop.ts'
import type { Switch, SwitchName } from '../switches.ts'
import type { Page } from './layout.ts'

const looks = { passed: 'good', failed: 'bad', skipped: 'wait' } as const

/** `failed`: shows those alone that failed. */
export function scenariosPage(runs: ScenarioRuns, failed: boolean): Page {
  const { finished, progress } = runs
  const listed = scenarios.filter(({ name }) => !failed || finished.get(name)?.result === 'failed')
  return {
    title: 'Scenarios',
    facts:
      'Automated checkout tests. They run in a shop of their own: your carts, orders, switches and clock stay as they are.',
    live: true,
    reload: progress !== undefined,
    content: html`<div id="progress" data-live>${progressOf(runs, failed)}</div>
<div id="scenarios" data-live>${
      listed.length === 0
        ? empty(
            'No scenario has failed in its last run.',
            html`<a href="/scenarios">Show all ${scenarios.length}</a>`,
          )
        : table(
            'Scenarios',
            { Scenario: 'first', Result: 'plain', Log: 'plain', Run: 'state' },
            listed.map((scenario) => row(scenario, runs)),
            { body: raw('data-keyed') },
          )
    }</div>`,
  }
}

function progressOf(runs: ScenarioRuns, failed: boolean): Html {
  const { progress, failure } = runs
  if (progress === undefined)
    return html`${failure === undefined ? '' : note('bad', 'No scenario was run', failure, { alert: true })}<form method="post" action="/scenarios"><div class="row"><button id="run-all" name="name" value="(all)">Run all ${scenarios.length}</button>${counts(runs, failed)}</div></form>`
  const { current, done, total } = progress
  const title = scenarios.find(({ name }) => name === current)?.title
  return html`<p role="status">${title === undefined ? 'Opening a shop for the scenarios.' : html`Running ${done + 1} of ${total}: <strong>${title}</strong>`}</p>
<progress max="${total}" value="${done}" aria-label="Scenarios that are finished"></progress>
<form method="post" action="/scenarios/stop"><div class="row"><button class="quiet small" id="stop">Stop after this one</button>${counts(runs, failed)}</div></form>`
}

function counts({ finished }: ScenarioRuns, failed: boolean): Html | string {
  if (finished.size === 0) return ''
  const count = (result: keyof typeof looks) =>
    [...finished.values()].filter((run) => run.result === result).length
  const left = scenarios.length - finished.size
  return html`<span role="status" class="row">${(['passed', 'failed', 'skipped'] as const).map((result) => pill(count(result) > 0 ? looks[result] : '', `${count(result)} ${result}`))}${left > 0 ? html`<small>${left} not run</small>` : ''}</span>
${failed ? html`<a href="/scenarios">Show all</a>` : html`<a href="/scenarios?failed=1">Failed only</a>`}`
}

function row({ name, title, steps }: Scenario, { finished, progress }: ScenarioRuns) {
  const run = finished.get(name)
  return {
    attributes: html`id="scenario-${name}"`,
    under:
      run?.reason === undefined
        ? ''
        : html`<p class="${run.result === 'failed' ? 'faults' : 'hint'}">${run.reason}.</p>`,
    cells: [
      html`<details id="steps-${name}"><summary><strong>${title}</strong> <code class="path">${name}</code></summary><ol>${steps.map((step, index) => html`<li>${wordsOf(step)}${run && run.result !== 'passed' && index === run.steps.length - 1 ? html` <strong>(ended here)</strong>` : ''}</li>`)}</ol></details>`,
      run
        ? pill(looks[run.result], run.result)
        : progress?.current === name
          ? pill('wait', 'running')
          : finished.size > 0
            ? html`<small class="whole">not run</small>`
            : '',
      run && run.calls.length > 0
        ? html`<a href="/log?scenario=${name}" aria-label="Log of this run: ${title}">Log</a>`
        : '',
      html`<form method="post" action="/scenarios"><button class="quiet small" id="run-${name}" name="name" value="${name}" aria-label="Run: ${title}">Run</button></form>`,
    ],
  }
}

const moves = { '10m': '10 minutes', '2h': '2 hours', '1d': 'A day', '1month': 'A month' }

/** The switch that begins each group, with the title of the group. */
const groups: Partial<Record<SwitchName, string>> = {
  cutOff: 'Calls and answers',
  webhook: 'Webhooks',
  customer: 'The customer',
  chosenMethod: 'The data in calls',
  api: 'The platform',
}

const isChanged = ({ value, values }: Switch) => value !== Object.keys(values)[0]

export const switchesPage = ({ switches, clock, movesProviders }: Shop, message?: string): Page => {
  const changed = switches.changed()
  return {
    title: 'Switches',
    facts:
      'Habits of live platforms beyond the contract, and faults on the way. They count from the next call on.',
    alert: message === undefined ? undefined : { look: 'bad', words: message },
    content: html`<section class="row clock" aria-labelledby="clock"><div><h2 id="clock">The clock</h2><p>It is <strong class="num">${new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC</strong> in the shop.
${movesProviders ? 'The provider moves with it.' : html`The provider keeps its own time: only one that runs under <code>purveyor dev</code> or <code>simulate</code> moves with it.`}</p></div>
<form method="post" action="/clock" class="row">${Object.entries(moves).map(([by, words]) => html`<button class="quiet small" name="by" value="${by}">${words} forward</button>`)}</form></section>
<form method="post" action="/switches">
${group(`Changed (${changed.length})`, changed)}${grouped(switches.list()).map(([title, all]) => group(title, all))}
<div class="row"><button>Set the switches</button><button class="quiet" name="reset" value="1">Restore the defaults</button></div>
</form>`,
  }
}

function grouped(switches: readonly Switch[]): [title: string, switches: Switch[]][] {
  const found: [string, Switch[]][] = []
  for (const one of switches) {
    const title = groups[one.name]
    if (title !== undefined) found.push([title, []])
    if (!isChanged(one)) found.at(-1)![1].push(one)
  }
  return found
}

const group = (title: string, switches: readonly Switch[]): Html | string =>
  switches.length === 0
    ? ''
    : html`<fieldset class="field"><legend>${title}</legend><div class="columns narrow">${switches.map(switchField)}</div></fieldset>`

const switchField = (one: Switch): Html =>
  html`<label class="field"><span>${one.title} ${isChanged(one) ? pill('wait', 'changed') : ''}</span><select name="${one.name}">${optionList(Object.entries(one.values), one.value)}</select></label>`
