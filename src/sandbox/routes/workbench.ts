import express, { type Request, type Response, type Router } from 'express'
import { hasCode } from '../../errors/errors.ts'
import { shopId as firstShop } from '../../messages/live.ts'
import { curlLine, printableJson } from '../../printable.ts'
import { withoutSlash } from '../../shops/shop.ts'
import type { LoggedCall } from '../calls/call-log.ts'
import { logAddress, pageOfLog, readLogQuery } from '../calls/log-query.ts'
import { durationOf } from '../clock.ts'
import { form, isJson, sendPage } from '../pages/layout.ts'
import { logPage, sentAgainPage } from '../pages/log.ts'
import { scenariosPage, switchesPage } from '../pages/workbench.ts'
import { scenarios } from '../scenarios/index.ts'
import type { ScenarioRuns } from '../scenarios/runs.ts'
import type { Shop } from '../shop.ts'

export function workbenchRoutes(router: Router, shop: Shop, runs: ScenarioRuns): void {
  router.use(form, express.json({ limit: '64kb' }))
  logRoutes(router, shop, runs)
  switchRoutes(router, shop)
  scenarioRoutes(router, runs)
}

function logRoutes(router: Router, shop: Shop, runs: ScenarioRuns): void {
  router.get('/log', (req, res) => {
    const query = readLogQuery(req.query)
    const { scenario, order, call } = query
    const all = scenario === undefined ? shop.log.calls : (runs.finished.get(scenario)?.calls ?? [])
    const calls = order === undefined ? all : shop.callsOf(order, all)
    const page = pageOfLog(calls, query)
    const opened = call === undefined ? undefined : all.find(({ number }) => number === call)
    const isSentAgain = !!opened && scenario === undefined && curlOf(shop, opened) !== undefined
    const shops = shop.catalogue.allShops()
    sendPage(res, 200, logPage({ ...page, query, kept: all.length, shops, opened, isSentAgain }))
  })

  router.get('/log/:number', (req, res, next) => {
    const call = shop.log.find(Number(req.params.number))
    if (!call) return next()
    const before = shop.log.find(Number(req.query.before))
    if (!before) return res.redirect(303, logAddress({ call: call.number }, '#pane'))
    sendPage(res, 200, sentAgainPage(before, call))
  })

  router.get('/log/:number/curl', (req, res, next) => {
    const call = shop.log.find(Number(req.params.number))
    const line = call && curlOf(shop, call)
    if (line === undefined) return next()
    res.type('text/plain').send(`${line}\n`)
  })

  router.post('/log/:number/again', async (req, res, next) => {
    const call = shop.log.find(Number(req.params.number))
    if (!call) return next()
    try {
      const { number } = await shop.callAgain(call)
      res.redirect(303, `/log/${number}?before=${call.number}`)
    } catch (error) {
      if (!hasCode(error, 'ARGUMENT_INVALID')) throw error
      sendPage(res, 422, { title: 'This call cannot be sent again', content: `${error.message}.` })
    }
  })
}

/** A call of the shop as a line for the shell, with the endpoint in full. */
function curlOf(shop: Shop, call: LoggedCall): string | undefined {
  const { method, path, request, service, shopId = firstShop } = call
  const endpoint = service && shop.services.get(service.id)?.urlEndpoint
  if (endpoint === undefined) return undefined
  const contentType = request !== undefined && { 'Content-Type': 'application/json' }
  const headers = { 'X-Shop-Id': String(shopId), ...contentType }
  const body = request === undefined ? undefined : printableJson(request)
  return curlLine({ method, url: `${withoutSlash(endpoint)}/${path}`, headers, body })
}

function switchRoutes(router: Router, shop: Shop): void {
  const view = () => ({
    switches: shop.switches.list(),
    now: shop.clock.now(),
    ahead: shop.clock.offset,
    movesProviders: shop.movesProviders,
  })

  const answer = (req: Request, res: Response, page = '/switches') =>
    isJson(req) ? void res.json(view()) : res.redirect(303, page)
  const refuse = (req: Request, res: Response, message: string) =>
    isJson(req)
      ? void res.status(422).json({ error: message })
      : sendPage(res, 422, switchesPage(shop, message))

  router.get('/switches', (req, res) => {
    if (req.accepts(['html', 'json']) === 'json') return void res.json(view())
    sendPage(res, 200, switchesPage(shop))
  })

  router.post('/switches', (req, res) => {
    const { reset, ...changes } = (req.body ?? {}) as Record<string, string>
    try {
      if (reset === undefined) shop.switches.set(changes)
      else shop.switches.reset()
    } catch (error) {
      if (!hasCode(error, 'ARGUMENT_INVALID')) throw error
      return refuse(req, res, error.message)
    }
    answer(req, res)
  })

  router.post('/clock', async (req, res) => {
    const { by } = (req.body ?? {}) as { by?: unknown }
    const ms = durationOf(String(by), shop.clock.now())
    if (ms === undefined)
      return refuse(req, res, 'The clock moves by a time such as 30s, 10m, 2h, 1d or 1month.')
    await shop.advance(ms)
    answer(req, res)
  })

  router.post('/reset', async (req, res) => {
    await shop.reset()
    answer(req, res, pageBefore(req, '/switches'))
  })
}

function scenarioRoutes(router: Router, runs: ScenarioRuns): void {
  router.get('/scenarios', (req, res) => {
    sendPage(res, 200, scenariosPage(runs, req.query.failed === '1'))
  })

  router.post('/scenarios', (req, res) => {
    const { name } = (req.body ?? {}) as { name?: unknown }
    runs.start(scenarios.filter((scenario) => name === '(all)' || scenario.name === name))
    res.redirect(303, pageBefore(req, '/scenarios'))
  })

  router.post('/scenarios/stop', (_req, res) => {
    runs.stop()
    res.redirect(303, '/scenarios')
  })
}

/** The page with the form, on this shop. A page that answered another form is found below that form's address. */
function pageBefore(req: Request, otherwise: string): string {
  const url = URL.parse(req.get('referer') ?? '')
  if (!url || url.host !== req.get('host')) return otherwise
  return `${url.pathname.replace(/\/(again|order|address|pay)$/, '')}${url.search}`
}
