import { html } from 'hono/html'
import type { ScenarioRuns } from '../scenarios/runs.ts'
import { type Scenario, wordsOf } from '../scenarios/scenario.ts'
import { messageBox } from './layout.ts'
import type { Html, Page } from './page.ts'

const looks = { passed: 'good', failed: 'bad', skipped: 'wait' } as const
const marks = { passed: '✓', failed: '✗', skipped: '–' } as const

interface ScenariosView extends Pick<ScenarioRuns, 'finished' | 'progress' | 'failure'> {
  scenarios: readonly Scenario[]
}

export const scenariosPage = (view: ScenariosView): Page => ({
  title: 'Scenarios',
  live: true,
  reload: view.progress !== undefined,
  content: html`<p class="hint">Automated checkout tests. They run in a shop of their own: your carts, orders, switches and clock stay as they are.</p>
<div id="progress" data-live>${progressOf(view)}</div>
<section class="card" id="scenarios" aria-label="All scenarios" data-live><ul class="scenarios" data-keyed>${view.scenarios.map((scenario) => entry(scenario, view))}</ul></section>`,
})

function progressOf({ scenarios, finished, progress, failure }: ScenariosView): Html {
  const all = scenarios.length
  if (progress === undefined)
    return html`${messageBox(failure === undefined ? undefined : `No scenario was run. ${failure}`)}
<form method="post" action="/scenarios"><div class="row"><button id="run-all" name="name" value="(all)">Run all ${all}</button><span role="status">${counts(finished)}</span></div></form>`
  const { current, done, total } = progress
  const title = scenarios.find(({ name }) => name === current)?.title
  return html`<div class="card running"><p role="status">${title === undefined ? 'Opening a shop for the scenarios.' : html`Running ${done + 1} of ${total}: <strong>${title}</strong>`}</p>
<progress max="${total}" value="${done}" aria-label="Scenarios that are finished"></progress>
<form method="post" action="/scenarios/stop"><div class="row"><button class="quiet small" id="stop">Stop after this one</button>${counts(finished)}</div></form></div>`
}

function counts(finished: ScenariosView['finished']): Html | string {
  if (finished.size === 0) return ''
  const runs = [...finished.values()]
  return html`${(['passed', 'failed', 'skipped'] as const).map((result) => {
    const count = runs.filter((run) => run.result === result).length
    return html`<span class="badge ${count > 0 ? looks[result] : ''}">${count} ${result}</span> `
  })}`
}

function entry({ name, title, steps }: Scenario, { finished, progress }: ScenariosView): Html {
  const run = finished.get(name)
  return html`<li id="scenario-${name}" class="${run?.result ?? ''}"><div class="row"><h2>${title}</h2>${
    run
      ? html`<span class="badge ${looks[run.result]}">${marks[run.result]} ${run.result}</span>`
      : progress?.current === name
        ? html`<span class="badge wait">running</span>`
        : ''
  }
<span class="actions"><code>${name}</code>
<form method="post" action="/scenarios"><button class="quiet small" id="run-${name}" name="name" value="${name}" aria-label="Run: ${title}">Run</button></form></span></div>
${run?.reason === undefined ? '' : html`<p class="${run.result === 'failed' ? 'faults' : 'hint'}">${run.reason}.</p>`}
<details id="steps-${name}"><summary>Steps</summary><ol>${steps.map((step, index) => html`<li>${wordsOf(step)}${run && run.result !== 'passed' && index === run.steps.length - 1 ? html` <strong>(ended here)</strong>` : ''}</li>`)}</ol></details>
${run && run.calls.length > 0 ? html`<p><a href="/log?scenario=${name}">Log of this run</a></p>` : ''}</li>`
}
