import { html, raw } from 'hono/html'
import { empty, note, pill } from '../../http/pages/parts/facts.ts'
import type { Html } from '../../http/pages/parts/frame.ts'
import { table } from '../../http/pages/parts/table.ts'
import type { ScenarioRuns } from '../scenarios/runs.ts'
import { type Scenario, wordsOf } from '../scenarios/scenario.ts'
import type { Page } from './page.ts'

const looks = { passed: 'good', failed: 'bad', skipped: 'wait' } as const

interface ScenariosView extends Pick<ScenarioRuns, 'finished' | 'progress' | 'failure'> {
  scenarios: readonly Scenario[]
  /** Shows those alone that failed. */
  failed: boolean
}

export function scenariosPage(view: ScenariosView): Page {
  const { scenarios, finished, failed } = view
  const listed = scenarios.filter(({ name }) => !failed || finished.get(name)?.result === 'failed')
  return {
    title: 'Scenarios',
    facts:
      'Automated checkout tests. They run in a shop of their own: your carts, orders, switches and clock stay as they are.',
    live: true,
    reload: view.progress !== undefined,
    content: html`<div id="progress" data-live>${progressOf(view)}</div>
<div id="scenarios" data-live>${
      listed.length === 0
        ? empty(
            'No scenario has failed in its last run.',
            html`<a href="/scenarios">Show all ${scenarios.length}</a>`,
          )
        : table(
            'Scenarios',
            { Scenario: 'first', Result: 'plain', Log: 'plain', Run: 'state' },
            listed.map((scenario) => row(scenario, view)),
            { body: raw('data-keyed') },
          )
    }</div>`,
  }
}

function progressOf(view: ScenariosView): Html {
  const { scenarios, progress, failure } = view
  if (progress === undefined)
    return html`${failure === undefined ? '' : note('bad', 'No scenario was run', failure, { alert: true })}<form method="post" action="/scenarios"><div class="row"><button id="run-all" name="name" value="(all)">Run all ${scenarios.length}</button>${counts(view)}</div></form>`
  const { current, done, total } = progress
  const title = scenarios.find(({ name }) => name === current)?.title
  return html`<p role="status">${title === undefined ? 'Opening a shop for the scenarios.' : html`Running ${done + 1} of ${total}: <strong>${title}</strong>`}</p>
<progress max="${total}" value="${done}" aria-label="Scenarios that are finished"></progress>
<form method="post" action="/scenarios/stop"><div class="row"><button class="quiet small" id="stop">Stop after this one</button>${counts(view)}</div></form>`
}

/** How many ended in which way, and a filter for those that failed. */
function counts({ finished, failed }: ScenariosView): Html | string {
  if (finished.size === 0) return ''
  const runs = [...finished.values()]
  const count = (result: keyof typeof looks) => runs.filter((run) => run.result === result).length
  return html`<span role="status" class="row">${(['passed', 'failed', 'skipped'] as const).map((result) => pill(count(result) > 0 ? looks[result] : '', `${count(result)} ${result}`))}</span>
${failed ? html`<a href="/scenarios">Show all</a>` : html`<a href="/scenarios?failed=1">Failed only</a>`}`
}

function row({ name, title, steps }: Scenario, { finished, progress }: ScenariosView) {
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
          : pill('', 'not run'),
      run && run.calls.length > 0
        ? html`<a href="/log?scenario=${name}" aria-label="Log of this run: ${title}">Log</a>`
        : '',
      html`<form method="post" action="/scenarios"><button class="quiet small" id="run-${name}" name="name" value="${name}" aria-label="Run: ${title}">Run</button></form>`,
    ],
  }
}
