import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import supertest from 'supertest'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkout } from './http/messages.ts'
import { observedProvider } from './observability/pair.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${spanId}-01`

describe('without an SDK', () => {
  test('a trace that comes in is in every line of its request, and goes on to the payment service', async () => {
    const { endpoint, calls, lines, order } = await observedProvider()
    const post = supertest(endpoint).post('/payment').set('traceparent', traceparent)
    await post.set('tracestate', 'shop=1').set('x-request-id', 'request-7').send(order(1)).expect(201)
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('answered')
    const ofRequest = lines.filter((line) => line.requestId === 'request-7')
    expect(ofRequest.map(({ msg }) => msg)).toEqual([
      'payment attempt',
      expect.stringContaining('a new host'),
      'the adapter says so',
      'answered',
    ])
    expect(lines.filter((line) => line.traceId === traceId)).toEqual(ofRequest)
    expect(calls[0]!.headers).toMatchObject({ traceparent, tracestate: 'shop=1', 'x-own': '1' })
  })

  test('a delivery belongs to no request, whichever set it off', async () => {
    const { endpoint, lines, order } = await observedProvider({
      payments: {
        name: 'psp',
        methods: () => [],
        start: () => ({ refused: 'not today' }),
      },
    } as never)
    const post = supertest(endpoint).post('/payment').set('traceparent', traceparent)
    await post.send(order(1)).expect(201)
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('webhook delivered')
    const delivered = lines.find(({ msg }) => msg === 'webhook delivered')!
    expect([delivered.requestId, delivered.traceId]).toEqual([undefined, undefined])
  })

  test('every line of a request names it, also of what Express answers', async () => {
    const { origin, lines } = await observedProvider()
    await supertest(origin)
      .get('/health/ready')
      .set('x-request-id', 'request-8')
      .set('traceparent', traceparent)
    await supertest(origin).get('/p/nothing').set('x-request-id', 'request-9')
    await expect.poll(() => lines.filter(({ msg }) => msg === 'answered')).toHaveLength(2)
    const answered = lines.filter(({ msg }) => msg === 'answered')
    expect(answered.map(({ requestId, traceId }) => [requestId, traceId])).toEqual([
      ['request-8', traceId],
      ['request-9', undefined],
    ])
  })

  test.each([
    'not a trace',
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    traceparent.repeat(2),
  ])('a header that is no trace is left alone: %s', async (header) => {
    const { endpoint, calls, order } = await observedProvider()
    await supertest(endpoint).post('/payment').set('traceparent', header).send(order(1)).expect(201)
    expect(calls[0]!.headers.traceparent).toBeUndefined()
  })
})

describe('with an SDK', () => {
  const exporter = new InMemorySpanExporter()
  const spans = () => exporter.getFinishedSpans()
  const named = (name: string) => spans().find((span) => span.name === name) as ReadableSpan

  beforeAll(() => {
    const spanProcessors = [new SimpleSpanProcessor(exporter)]
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  })
  beforeEach(() => exporter.reset())

  test('a payment start is one trace, from the call of the shop to the one of the payment service', async () => {
    const { endpoint, calls, order } = await observedProvider()
    await supertest(endpoint).post('/payment').set('traceparent', traceparent).send(order(1)).expect(201)
    await expect
      .poll(() => spans().map(({ name }) => name))
      .toEqual(['POST', 'start psp', 'POST /e/:token/payment'])
    const [request, start, call] = [named('POST /e/:token/payment'), named('start psp'), named('POST')]
    expect(spans().map((span) => span.spanContext().traceId)).toEqual([traceId, traceId, traceId])
    expect(request.parentSpanContext?.spanId).toBe(spanId)
    expect(start.parentSpanContext?.spanId).toBe(request.spanContext().spanId)
    expect(call.parentSpanContext?.spanId).toBe(start.spanContext().spanId)
    expect(calls[0]!.headers.traceparent).toBe(`00-${traceId}-${call.spanContext().spanId}-01`)
    expect([request.kind, start.kind, call.kind]).toEqual([
      SpanKind.SERVER,
      SpanKind.INTERNAL,
      SpanKind.CLIENT,
    ])
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/e/:token/payment',
      'http.response.status_code': 201,
    })
    expect(start.attributes).toEqual({
      'purveyor.adapter': 'psp',
      'purveyor.call': 'start',
      'purveyor.shop': 'default',
    })
    expect(call.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 })
  })

  test('a delivery is a trace of its own, and so is each of its tries', async () => {
    const { provider, endpoint, calls, answers, order, lines } = await observedProvider()
    await supertest(endpoint).post('/payment').send(order(1)).expect(201)
    answers.set('/webhook', 500)
    await provider.payments.report({ orderId: 1 }, { status: 'cancelled' })
    await expect.poll(() => spans().map(({ name }) => name)).toContain('deliver webhook')
    const delivery = named('deliver webhook')
    expect(delivery.parentSpanContext).toBeUndefined()
    expect(delivery.attributes).toEqual({
      'purveyor.shop': 'default',
      'purveyor.order': '1',
      'purveyor.tries': 1,
    })
    const { traceId } = delivery.spanContext()
    expect(calls.find(({ path }) => path === '/webhook')!.headers.traceparent).toContain(traceId)
    expect(lines.find(({ msg }) => String(msg).startsWith('webhook failed'))).toMatchObject({ traceId })

    answers.delete('/webhook')
    for (const id of [2, 3, 4]) await supertest(endpoint).post('/payment').send(order(id)).expect(201)
    for (const id of [2, 3, 4]) await provider.payments.report({ orderId: id }, { status: 'cancelled' })
    const deliveries = () => spans().filter(({ name }) => name === 'deliver webhook')
    await expect.poll(deliveries).toHaveLength(4)
    expect(deliveries().map(({ parentSpanContext }) => parentSpanContext)).toEqual(Array(4).fill(undefined))
  })

  test('an error is recorded by its kind, never by its words', async () => {
    const { endpoint } = await observedProvider({
      payments: undefined,
      rates: {
        name: 'door',
        quote() {
          throw new RangeError('Jan lives at Damrak 12')
        },
      },
    } as never)
    await supertest(endpoint).post('/shipment_methods').send(checkout).expect(201)
    await expect.poll(() => named('quote door')?.status.code).toBe(SpanStatusCode.ERROR)
    const { attributes, events, status } = named('quote door')
    expect(attributes['error.type']).toBe('RangeError')
    expect(JSON.stringify([attributes, events, status])).not.toContain('Damrak')
  })

  test('mounted below a span that is active, a request is a child of that one', async () => {
    const { provider } = await observedProvider()
    const tracer = trace.getTracer('app')
    const express = (await import('express')).default
    const app = express()
    app.use((_req, _res, next) =>
      tracer.startActiveSpan('app', (span) => {
        next()
        span.end()
      }),
    )
    app.use(provider.router)
    await supertest(app).get('/health/live').set('traceparent', traceparent).expect(200)
    await expect.poll(() => named('GET /health/live')).toBeDefined()
    expect(named('GET /health/live').parentSpanContext?.spanId).toBe(named('app').spanContext().spanId)
  })
})
