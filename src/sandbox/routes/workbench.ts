import express, { type Request, type Response, Router } from 'express'
import { durationOf } from '../clock.ts'
import { curlOf } from '../curl.ts'
import { logAddress, pageOfLog, readLogQuery } from '../log-query.ts'
import { sentAgainPage } from '../pages/call.ts'
import { logPage } from '../pages/log.ts'
import { scenariosPage } from '../pages/scenarios.ts'
import { switchesPage } from '../pages/switches.ts'
import { shopId } from '../payloads.ts'
import { scenarios } from '../scenarios/index.ts'
import { runScenario, type ScenarioRun } from '../scenarios/run.ts'
import type { Shop } from '../shop.ts'
import { isJson, sendPage } from './send.ts'

/** The developer's pages: the log of calls, the switches with the clock, and the scenarios. */
export function workbenchRoutes(shop: Shop): Router {
  const router = Router()
  router.use(express.urlencoded({ extended: false, limit: '64kb' }), express.json({ limit: '64kb' }))
  const runs = new Map<string, ScenarioRun>()

  router.get('/log', (req, res) => {
    const query = readLogQuery(req.query)
    const { calls } = shop.log
    const page = pageOfLog({ calls, callsOf: (order) => shop.callsOf(order), firstShop: shopId }, query)
    const opened = query.call === undefined ? undefined : shop.log.find(query.call)
    sendPage(res, 200, logPage({ ...page, query, kept: calls.length, shops: [], opened }))
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
    const service = call?.service && shop.services.get(call.service.id)
    if (!call || !service) return next()
    res.type('text/plain').send(`${curlOf(call, service.urlEndpoint)}\n`)
  })

  router.post('/log/:number/again', async (req, res, next) => {
    const call = shop.log.find(Number(req.params.number))
    if (!call) return next()
    try {
      const { number } = await shop.callAgain(call)
      res.redirect(303, `/log/${number}?before=${call.number}`)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      sendPage(res, 422, { title: 'This call cannot be sent again', content: `${error.message}.` as never })
    }
  })

  const view = () => ({
    switches: shop.switches.list(),
    now: shop.clock.now(),
    ahead: shop.clock.offset,
    movesProviders: shop.movesProviders,
  })

  const answer = (req: Request, res: Response) =>
    isJson(req) ? void res.json(view()) : res.redirect(303, '/switches')
  const refuse = (req: Request, res: Response, message: string) =>
    isJson(req)
      ? void res.status(422).json({ error: message })
      : sendPage(res, 422, switchesPage({ ...view(), message }))

  router.get('/switches', (req, res) => {
    if (req.accepts(['html', 'json']) === 'json') return void res.json(view())
    sendPage(res, 200, switchesPage(view()))
  })

  router.post('/switches', (req, res) => {
    const { reset, ...changes } = (req.body ?? {}) as Record<string, string>
    try {
      if (reset === undefined) shop.switches.set(changes)
      else shop.switches.reset()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
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
    if (isJson(req)) return void res.json(view())
    res.redirect(303, pageBefore(req))
  })

  router.get('/scenarios', (_req, res) => sendPage(res, 200, scenariosPage(scenarios, runs)))

  // One after the other: they share the switches and the clock.
  let playing: Promise<unknown> = Promise.resolve()
  router.post('/scenarios', async (req, res) => {
    const { name } = (req.body ?? {}) as { name?: unknown }
    const chosen = scenarios.filter((scenario) => name === '(all)' || scenario.name === name)
    const play = async () => {
      for (const scenario of chosen) runs.set(scenario.name, await runScenario(shop, scenario))
    }
    playing = playing.then(play)
    await playing
    res.redirect(303, '/scenarios')
  })
  return router
}

/** The page with the form, on this shop. A page that answered another form is found below that form's address. */
function pageBefore(req: Request): string {
  const url = URL.parse(req.get('referer') ?? '')
  if (!url || url.host !== req.get('host')) return '/switches'
  return `${url.pathname.replace(/\/(again|order|address|pay)$/, '')}${url.search}`
}
