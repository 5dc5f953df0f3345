import { html } from 'hono/html'
import type { ScenarioRun } from '../scenarios/run.ts'
import { type Scenario, wordsOf } from '../scenarios/scenario.ts'
import type { Html, Page } from './layout.ts'

const looks = { passed: 'good', failed: 'bad', skipped: 'wait' } as const

export const scenariosPage = (
  scenarios: readonly Scenario[],
  runs: ReadonlyMap<string, ScenarioRun>,
): Page => ({
  title: 'Scenarios',
  live: true,
  content: html`<p class="hint">Automated checkout tests. Each runs in this shop with its own switches, and restores yours afterwards.</p>
<form method="post" action="/scenarios"><div class="row"><button name="name" value="(all)">Run all ${scenarios.length}</button></div></form>
<div id="scenarios" data-live role="status">${summary(scenarios, runs)}<ul class="plain">${scenarios.map((scenario) => entry(scenario, runs.get(scenario.name)))}</ul></div>`,
})

function summary(scenarios: readonly Scenario[], runs: ReadonlyMap<string, ScenarioRun>): Html | string {
  if (runs.size === 0) return ''
  const count = (result: ScenarioRun['result']) =>
    scenarios.filter(({ name }) => runs.get(name)?.result === result).length
  return html`<p><span class="badge good">${count('passed')} passed</span> <span class="badge bad">${count('failed')} failed</span> <span class="badge wait">${count('skipped')} skipped</span></p>`
}

const entry = ({ name, title, steps }: Scenario, run: ScenarioRun | undefined): Html => html`<li class="card">
<h2>${title} ${run ? html`<span class="badge ${looks[run.result]}">${run.result}</span>` : ''}</h2>
${run?.reason === undefined ? '' : html`<p class="faults">${run.reason}.</p>`}
<div class="row"><form method="post" action="/scenarios"><button class="quiet small" id="run-${name}" name="name" value="${name}" aria-label="Run: ${title}">Run</button></form>
<code>${name}</code>${run?.orderId === undefined ? '' : html`<a href="/log?order=${run.orderId}">Log of order ${run.orderId}</a>`}</div>
<details id="steps-${name}"><summary>Steps</summary><ol>${steps.map((step, place) => html`<li>${wordsOf(step)}${run && run.result !== 'passed' && place === run.steps.length - 1 ? html` <strong>(ended here)</strong>` : ''}</li>`)}</ol></details></li>`
