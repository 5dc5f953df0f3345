import { z } from 'zod'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import * as answers from '../../contract/examples.ts'
import { liveCheckout, liveEstimate, livePaymentStart } from '../../contract/examples.ts'
import {
  type ProblemCode,
  paymentMethodsAnswer,
  paymentMethodsRequest,
  paymentStartAnswer,
  paymentStartRequest,
  paymentStatusAnswer,
  problems,
  shipmentEstimateRequest,
  shipmentMethodsAnswer,
  shipmentMethodsRequest,
  webhookBody,
} from '../../contract/index.ts'

/** `application/problem+json` (RFC 9457), as every error is answered. */
const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    request_id: z.string(),
  })
  .meta({
    id: 'Problem',
    description: 'The reason of an error, with a stable code and the place of each fault.',
  })

const json = (schema: z.ZodType, example: unknown, description: string) => ({
  description,
  content: { 'application/json': { schema, example } },
})

const asked = (...message: Parameters<typeof json>) => ({ required: true, ...json(...message) })

const problemContent = { 'application/problem+json': { schema: problem, example: answers.problemExample } }

const refusals = {
  '4XX': {
    description: 'The call does not belong to this contract or this shop.',
    content: problemContent,
  },
  '5XX': {
    description: 'The provider cannot answer now. Repeat the same call after Retry-After, if it is sent.',
    content: problemContent,
  },
}

/** The answers to a call: one with data, and the refusals. */
const answered = (status: '200' | '201', ...message: Parameters<typeof json>) => ({
  [status]: json(...message),
  ...refusals,
})

const choice = 'The methods that the customer may choose from.'

/** The call to `webhook_url`: the contract names neither method nor body (spec 4.3 return flow); ours are these. */
function webhookOperation(operationId: string) {
  return {
    operationId,
    summary: 'The status of a payment has changed',
    description:
      'It carries no status: the platform reads the status again. Any answer but 2xx is repeated, for up to 14 days.',
    tags: ['Payment'],
    requestBody: asked(webhookBody, answers.webhookExample, 'The order that changed.'),
    responses: {
      '2XX': { description: 'The platform accepts it.' },
      '4XX': { description: 'It is sent again later; after 410 only by hand.' },
    },
  }
}

const shippingPaths: ZodOpenApiPathsObject = {
  '/shipment_methods': {
    post: {
      operationId: 'shipmentMethods',
      summary: 'Shipping methods for a checkout or a cart',
      description:
        'With rate_estimate the request comes from the cart, which knows only zipcode and country of the customer.',
      tags: ['Shipping'],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: z.union([shipmentMethodsRequest, shipmentEstimateRequest]),
            examples: {
              checkout: { summary: 'A checkout', value: liveCheckout },
              estimate: { summary: 'A cart', value: liveEstimate },
            },
          },
        },
      },
      responses: answered('201', shipmentMethodsAnswer, answers.shipmentMethodsExample, choice),
    },
  },
}

const paymentPaths: ZodOpenApiPathsObject = {
  '/payment_methods': {
    post: {
      operationId: 'paymentMethods',
      summary: 'Payment methods for a checkout',
      tags: ['Payment'],
      requestBody: asked(paymentMethodsRequest, liveCheckout, 'The checkout.'),
      responses: answered('201', paymentMethodsAnswer, answers.paymentMethodsExample, choice),
    },
  },
  '/payment': {
    post: {
      operationId: 'startPayment',
      summary: 'Start the payment of an order',
      description: 'A repeated call for an open payment gets the same payment_url.',
      tags: ['Payment'],
      requestBody: asked(paymentStartRequest, livePaymentStart, 'The order and the chosen method.'),
      responses: answered(
        '201',
        paymentStartAnswer,
        answers.paymentStartAnswerExample,
        'The address of the payment page; without one the customer goes to the thank-you page.',
      ),
      callbacks: {
        paymentStatusChanged: {
          '{$request.body#/webhook_url}': { post: webhookOperation('onPaymentStatusChanged') },
        },
      },
    },
  },
  '/payment/{order_id}': {
    get: {
      operationId: 'paymentStatus',
      summary: 'The status of a payment',
      tags: ['Payment'],
      requestParams: {
        path: z.object({
          order_id: z.string().max(128).meta({ description: 'The id of the order.', example: '1001' }),
        }),
      },
      responses: answered(
        '200',
        paymentStatusAnswer,
        answers.paymentStatusExample,
        'The status of the payment.',
      ),
    },
  },
}

export interface DocumentOptions {
  /** The address of the provider, without a slash at the end. */
  publicUrl: string
  version: string
}

/** The contract as OpenAPI 3.1, generated from the schemas that check every message (spec 4.3). */
export function openApiDocument({ publicUrl, version }: DocumentOptions): object {
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'External checkout service',
      version,
      description:
        'The calls of a shop platform during a checkout: shipping methods, payment methods, payments and their statuses.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: `${publicUrl}/e/{token}`,
        description: 'The endpoint of one shop: the urlEndpoint that is registered with it.',
        variables: { token: { default: 'token', description: 'The secret part of the address.' } },
      },
    ],
    // The address is the key: the platform signs nothing (spec 5).
    security: [],
    tags: [
      { name: 'Shipping', description: 'Shipping methods and their rates.' },
      { name: 'Payment', description: 'Payment methods, payments and their statuses.' },
    ],
    paths: { ...shippingPaths, ...paymentPaths },
    webhooks: { paymentStatusChanged: { post: webhookOperation('paymentStatusChanged') } },
  }
  // Answers may have more than the contract names, as requests may.
  return createDocument(document, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
}
