import { jsonIn } from './texts.ts'

/** A record of the shop, as a resource event brings it. Fields that the spec does not name depend on the platform. */
export type EventRecord = Readonly<Record<string, unknown>>

/** An event of a record of the shop: it was created, changed or removed. */
export interface ResourceEvent {
  /** The resource, such as `orders`. */
  group: string
  /** The change of the record: `created`, `updated`, `paid` or another word of the platform. */
  action: string
  /** The shop's id at the platform; not set where the platform does not name it. */
  shopId: string | undefined
  /** The cluster of the platform; not set where it has none. */
  clusterId: string | undefined
  /** Two letters; not set where the platform does not name it. */
  language: string | undefined
  /** The platform's id of this call; not set where it has none. */
  requestId: string | undefined
  /** The name of a record in the body, such as `order`. */
  name: string
  record: EventRecord
  /** The fields of the platform's own texts. Empty where it sends none. */
  templateData: Readonly<Record<string, unknown>>
}

/** The call that brings a resource event. The names of headers are in lower case. */
export interface ResourceCall {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: Buffer | string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the call that brings a resource event. Returns why it cannot be read, in a sentence. */
export function readResourceEvent({ headers, body }: ResourceCall): ResourceEvent | string {
  const header = (name: string): string | undefined => {
    const value = headers[name]
    const text = typeof value === 'string' ? value.trim() : value?.join(', ')
    return text === '' ? undefined : text
  }
  const event = /^([a-z_]{1,64})\/([a-z_]{1,64})$/i.exec(header('x-event') ?? '')
  if (!event) return 'its header X-Event is not a resource and an action, such as orders/created'
  const content = jsonIn(String(body))
  if (!isObject(content)) return 'its body is not a JSON object'
  const { templateDataFields: beside, ...rest } = content
  const [name] = Object.keys(rest)
  if (name === undefined) return 'its body is empty'
  const given = rest[name]
  if (!isObject(given)) return `${name.slice(0, 40)} of its body is not a record`
  // Some platforms have them in the record, and some beside it.
  const { templateDataFields = beside, ...record } = given
  return {
    group: event[1]!.toLowerCase(),
    action: event[2]!.toLowerCase(),
    shopId: header('x-shop-id'),
    clusterId: header('x-cluster-id'),
    language: header('x-language')?.slice(0, 2).toLowerCase(),
    requestId: header('x-request-id'),
    name,
    record,
    // An empty list stands for no fields.
    templateData: isObject(templateDataFields) ? templateDataFields : {},
  }
}
