import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { neededFields } from '../adapters/call-adapter.ts'
import { isId, Problem, paymentMethodsReader, paymentStartReader, readMessage } from '../contract/index.ts'
import { type MessageName, type ReadMessage, roundTotal, shipmentMessage } from '../contract/read.ts'
import type { AdapterFailures } from '../observability/log.ts'
import type { SeenRequest } from '../observability/observer.ts'
import type { Parts } from '../parts.ts'
import type { Starting } from '../payments/call-start.ts'
import { listPaymentMethods } from '../payments/list-payment-methods.ts'
import { readStatus } from '../payments/read-status.ts'
import { startPayment } from '../payments/start-payment.ts'
import { quoteRates, rateQuestionReader } from '../rates/asking/quote-rates.ts'
import type { RatesExplanation } from '../rates/explanation.ts'
import type { Shop } from '../shops/shop.ts'
import { isPromise, type MaybePromise, type World } from '../world.ts'
import { type AccessLog, type ContractPath, contractPathOf, isContractPath, pathOf } from './access-log.ts'
import { type Answer, type End, NotAllowed, respond } from './answer.ts'
import type { CallerChecks } from './callers.ts'
import { Endpoints, type KnownShops } from './endpoints.ts'
import type { KeyedLimits } from './limits.ts'
import type { Gate } from './places.ts'
import { readJson } from './read-body.ts'

interface Call {
  shop: Shop
  tokenHash: string
  body: unknown
  /** The last part of the path, for `payment/{order_id}`. */
  orderId: string
  /** Notes which order the call is about. */
  seen: SeenRequest
  platformId: string | undefined
}

interface Route {
  method: 'GET' | 'POST'
  answer(call: Call): Promise<Answer>
}

export interface ContractOptions {
  access: AccessLog
  /** Checks of callers besides the token. */
  callers: CallerChecks | undefined
  limits: KeyedLimits
  /** The largest body, in bytes. */
  maxBody: number
  gate: Gate
  known: KnownShops
  /** The errors of adapters in the last requests. In development only. */
  failures: AdapterFailures | undefined
}

/** Handles a request for a contract address, and returns whether it did. `headers` go with the answer, and `end` ends it. */
export type ContractHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  headers: readonly string[],
  end?: End,
) => boolean

type Serving = Starting & Parts<'rates' | 'drift' | 'development'>

/**
 * The addresses of spec 4.3 under `/e/{endpoint token}`, for exactly the services of the adapters. It works beside Express, so that the
 * provider's own server can pass these requests on without a router.
 */
export function contractHandler(workings: Serving, options: ContractOptions): ContractHandler {
  const { callers, limits, maxBody: most } = options
  const endpoints = new Endpoints(workings, options.gate, options.known)
  const routes = contractRoutes(workings, endpoints, options)
  let warned = false
  const warn = (message: string) => {
    if (!warned) workings.world.log.warn({}, message)
    warned = true
  }

  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    seen: SeenRequest,
    { token, name, last: orderId, isLonger }: ContractPath,
  ): Promise<Answer> {
    const tokenHash = endpoints.hashOf(token)
    const shop =
      options.known.fresh(tokenHash) ?? (await endpoints.lookUp(token, req, res, name === 'shipment_methods'))
    seen.shop = shop.id
    if (callers) refuse(callers.place(req), shop, workings.world)
    limits.enter(shop.id)
    try {
      if (callers) refuse(await callers.credentials(req), shop, workings.world)
      // Before its body is read.
      endpoints.check(shop, shopHeader(req))
      const route = isLonger ? undefined : routes[orderId === '' ? name : `${name}/`]
      if (!route) throw new Problem('NOT_FOUND')
      if (req.method !== route.method) throw new NotAllowed(route.method)
      const body =
        route.method === 'POST'
          ? await readJson(req, {
              most,
              warn,
              sized: (size, counted) => limits.spend(shop.id, size, counted),
            })
          : undefined
      return await route.answer({ shop, tokenHash, body, orderId, seen, platformId: shopHeader(req) })
    } finally {
      limits.leave(shop.id)
    }
  }

  function amend(given: Answer, { requestId, shop = '', order }: SeenRequest): void {
    if (order !== undefined) options.failures?.showAt(requestId, shop, order)
    const isExplained = given.headers?.includes(explanationHeader) ?? false
    if (!isExplained && options.failures && options.failures.of(requestId).length > 0)
      given.headers = [...(given.headers ?? []), explanationHeader, requestId]
  }

  return (req, res, common, end) => {
    const pathname = pathOf(req)
    if (!isContractPath(pathname)) return false
    const path = contractPathOf(pathname)
    const work = (seen: SeenRequest) => answer(req, res, seen, path)
    void respond(workings.world, options.access, [req, res], { common, end, path, work, amend })
    return true
  }
}

/** A refused caller gets the same 404 as an unknown endpoint. */
function refuse(why: string | undefined, shop: Shop, { observer }: World): void {
  if (why === undefined) return
  observer.refused('CALLER_REFUSED', { shop: shop.id, refused: why })
  throw new Problem('NOT_FOUND')
}

const shopHeader = (req: IncomingMessage): string | undefined => {
  const header = req.headers['x-shop-id']
  return typeof header === 'string' && header !== '' ? header : undefined
}

type Routes = Record<string, Route | undefined>

/** Names the explanation of an answer, in development: it is at `{urlEndpoint}/explanations/{id}`. */
const explanationHeader = 'Purveyor-Explanation'
const explanationsKept = 100
/** The last explanations, by shop and request. */
type Explanations = LRUCache<string, RatesExplanation>

const get = (answer: Route['answer']): Route => ({ method: 'GET', answer })
const post = (answer: Route['answer']): Route => ({ method: 'POST', answer })

function contractRoutes(workings: Serving, endpoints: Endpoints, { failures }: ContractOptions): Routes {
  const explanations: Explanations = new LRUCache({ max: explanationsKept })
  const routes: Routes = Object.create(null)
  if (workings.rates.adapters.length > 0) Object.assign(routes, rateRoutes(workings, endpoints, explanations))
  if (workings.payments.adapters.length > 0) Object.assign(routes, paymentRoutes(workings, endpoints))
  if (failures)
    routes['explanations/'] = get(async ({ shop, orderId: requestId }) => {
      const explanation = explanations.get(`${shop.id} ${requestId}`)
      const failed = failures.of(requestId)
      if (!explanation && failed.length === 0) throw new Problem('NOT_FOUND')
      return { status: 200, body: { fallback: false, adapters: [], ...explanation, failures: failed } }
    })
  return routes
}

function rateRoutes(workings: Serving, endpoints: Endpoints, explanations: Explanations): Routes {
  const { development } = workings
  const readQuestion = rateQuestionReader(workings)
  return {
    shipment_methods: post(async (call) => {
      const question = comparing(workings, shipmentMessage(call.body), call, () => readQuestion(call.body))
      const { shop } = 'estimate' in question ? question.estimate : question.request
      const found = shopOf(endpoints, call, shop, true)
      const explanation = await quoteRates(workings, isPromise(found) ? await found : found, question)
      workings.rates.memory.questions.note(workings.world, call.shop.id, question, explanation)
      const body = { shipment_methods: explanation.methods }
      if (!development) return { status: 201, body }
      const { requestId } = call.seen
      explanations.set(`${call.shop.id} ${requestId}`, explanation)
      return { status: 201, body, headers: [explanationHeader, requestId] }
    }),
  }
}

function paymentRoutes(workings: Serving, endpoints: Endpoints): Routes {
  // Fields that no adapter declares are not even read.
  const needed = neededFields(workings.payments.adapters)
  const methodsReader = paymentMethodsReader(needed)
  const startReader = paymentStartReader(needed)
  return {
    payment_methods: post(async (call) => {
      const request = comparing(workings, 'payment_methods', call, () =>
        readMessage(methodsReader, call.body),
      )
      const shop = await shopOf(endpoints, call, request.shop)
      return { status: 201, body: { payment_methods: await listPaymentMethods(workings, shop, request) } }
    }),
    payment: post(async (call) => {
      const request = comparing(workings, 'payment', call, () => readMessage(startReader, call.body))
      call.seen.order = request.order.id
      const shop = await shopOf(endpoints, call, request.shop)
      return { status: 201, body: await startPayment(workings, shop, request) }
    }),
    'payment/': get(async ({ shop, tokenHash, orderId: part, platformId, seen }) => {
      const orderId = readOrderId(part)
      seen.order = orderId
      const { id } = await endpoints.seen(tokenHash, shop, { platformIds: [platformId], binds: false })
      const status = await readStatus(workings, id, orderId)
      if (!status) throw new Problem('NOT_FOUND')
      return { status: 200, body: { status } }
    }),
  }
}

/** Reads a message, and notes what it has beside the contract. */
function comparing<T extends ReadMessage>(
  { drift: drifts, world }: Parts<'drift' | 'world'>,
  message: MessageName,
  { shop, body }: Call,
  read: () => T,
): T {
  let outcome: 'read' | 'refused' = 'refused'
  let rounded: string | undefined
  try {
    const known = read()
    outcome = 'read'
    rounded = roundTotal(known)
    if (rounded !== undefined) world.observer.refused('AMOUNT_ROUNDED', { shop: shop.id, path: rounded })
    return known
  } finally {
    drifts.note(shop.id, message, { body, outcome, now: world.now() }, rounded)
  }
}

/** The shop of a POST. `named` is what its body says of the shop. */
const shopOf = (
  endpoints: Endpoints,
  { tokenHash, shop, platformId }: Call,
  { id }: { id?: string | undefined },
  goesOn = false,
): MaybePromise<Shop> =>
  endpoints.seen(tokenHash, shop, { platformIds: [platformId, id], binds: true, goesOn })

/** An invalid order id is not looked up. */
function readOrderId(part: string): string {
  try {
    const id = decodeURIComponent(part)
    if (isId(id)) return id
  } catch {}
  throw new Problem('NOT_FOUND')
}
