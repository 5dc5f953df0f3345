import type { DefaultTreeAdapterTypes } from 'parse5'
import { PurveyorError } from '../../errors/errors.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const wait = 10_000

/** The answer to a pressed button or link. It is not followed. */
export interface Pressed {
  /** The address that was called. */
  url: string
  status: number
  /** The address of a redirect, as it was sent. */
  location: string | undefined
  text: string
}

/**
 * Opens a provider's payment page as a customer does, without a browser, and presses the button or link whose value or text is `outcome`.
 * Rejects with `PAGE_BUTTON_MISSING` if the page has none, and with `PAGE_UNREACHABLE` if it does not open.
 */
export async function pressOnPage(url: string, outcome: string): Promise<Pressed> {
  const page = await open(url)
  // Only payment pages need it, and a shop starts without one.
  const { parse } = await import('parse5')
  const document = parse(await page.text())
  const request = formWith(document, outcome, page.url) ?? linkWith(document, outcome, page.url)
  const missing = `The payment page (${page.status}) has no button or link "${outcome}"`
  if (!request) throw new PurveyorError('PAGE_BUTTON_MISSING', missing)
  const { address, body } = request
  const cookies = page.headers.getSetCookie().map((one) => one.split(';')[0])
  const cookie = cookies.join('; ')
  const answer = await fetch(address, {
    method: body ? 'POST' : 'GET',
    redirect: 'manual',
    ...(body && { body }),
    headers: { ...(body && { origin: address.origin }), ...(cookie && { cookie }) },
    signal: AbortSignal.timeout(wait),
  })
  const location = answer.headers.get('location') ?? undefined
  return { url: address.href, status: answer.status, location, text: await answer.text() }
}

async function open(url: string): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(wait) })
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    const said = `The payment page at ${new URL(url).host} does not open (${cause?.code ?? message})`
    throw new PurveyorError('PAGE_UNREACHABLE', said, { cause: error })
  }
}

/** The request that a press makes. Without a body it is a GET. */
interface Request {
  address: URL
  body?: URLSearchParams
}

function formWith(page: Node, outcome: string, base: string): Request | undefined {
  for (const form of elements(page, 'form')) {
    const all = [...elements(form, 'button'), ...elements(form, 'input')]
    const pressed = all.find((one) => isPressed(one, outcome))
    if (!pressed) continue
    const hidden = all.filter((one) => attribute(one, 'type') === 'hidden')
    const fields = [...hidden, pressed].map((one): [string, string] => [
      attribute(one, 'name'),
      attribute(one, 'value'),
    ])
    const body = new URLSearchParams(fields)
    const action = attribute(pressed, 'formaction') || attribute(form, 'action')
    const address = new URL(action || base, base)
    if (attribute(form, 'method').toLowerCase() === 'post') return { address, body }
    address.search = body.toString()
    return { address }
  }
  return undefined
}

function linkWith(page: Node, outcome: string, base: string): Request | undefined {
  for (const link of elements(page, 'a')) {
    const address = URL.parse(attribute(link, 'href'), base)
    if (hasWord(textOf(link), outcome) && address && /^https?:$/.test(address.protocol)) return { address }
  }
  return undefined
}

function isPressed(element: Element, outcome: string): boolean {
  const kind = attribute(element, 'type')
  if (element.tagName === 'input' && kind !== 'submit' && kind !== 'radio') return false
  return [attribute(element, 'value'), textOf(element)].some((text) => hasWord(text, outcome))
}

const hasWord = (text: string, outcome: string): boolean => text.trim().toLowerCase() === outcome

function* elements(node: Node, name: string): Generator<Element> {
  if (!('childNodes' in node)) return
  for (const child of node.childNodes) {
    if ('tagName' in child && child.tagName === name) yield child
    yield* elements(child, name)
  }
}

const attribute = (element: Element, name: string): string =>
  element.attrs.find((one) => one.name === name)?.value ?? ''

function textOf(node: Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}
