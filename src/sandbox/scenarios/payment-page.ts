import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import { PurveyorError } from '../../errors.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const wait = 10_000

/**
 * Opens a provider's payment page as a customer does, without a browser, and clicks the button whose value or text is `outcome`. Rejects
 * with `PAGE_BUTTON_MISSING` if there is none, or the page does not open.
 */
export async function pressOnPage(url: string, outcome: string): Promise<void> {
  const page = await open(url)
  const form = formWith(parse(await page.text()), outcome)
  if (!form)
    throw new PurveyorError(
      'PAGE_BUTTON_MISSING',
      `The payment page (${page.status}) has no button "${outcome}"`,
    )
  const target = new URL(form.action || page.url, page.url)
  const fields = new URLSearchParams(form.fields)
  const post = form.method === 'post'
  if (!post) target.search = fields.toString()
  const answer = await fetch(target, {
    method: post ? 'POST' : 'GET',
    redirect: 'manual',
    ...(post && { body: fields }),
    headers: { origin: target.origin },
    signal: AbortSignal.timeout(wait),
  })
  await answer.text()
}

async function open(url: string): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(wait) })
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    throw new Error(`The payment page at ${new URL(url).host} does not open (${cause?.code ?? message})`, {
      cause: error,
    })
  }
}

interface Form {
  action: string
  method: string
  fields: [string, string][]
}

function formWith(page: Node, outcome: string): Form | undefined {
  for (const form of elements(page, 'form')) {
    const all = [...elements(form, 'button'), ...elements(form, 'input')]
    const pressed = all.find((one) => isPressed(one, outcome))
    if (!pressed) continue
    const hidden = all.filter((one) => attribute(one, 'type') === 'hidden')
    return {
      action: attribute(form, 'action'),
      method: attribute(form, 'method').toLowerCase(),
      fields: [...hidden, pressed].map((one) => [attribute(one, 'name'), attribute(one, 'value')]),
    }
  }
  return undefined
}

function isPressed(element: Element, outcome: string): boolean {
  const kind = attribute(element, 'type')
  if (element.tagName === 'input' && kind !== 'submit' && kind !== 'radio') return false
  const words = [attribute(element, 'value'), textOf(element)]
  return words.some((text) => text.trim().toLowerCase() === outcome)
}

function* elements(node: Node, name: string): Generator<Element> {
  if (!('childNodes' in node)) return
  for (const child of node.childNodes) {
    if (defaultTreeAdapter.isElementNode(child) && child.tagName === name) yield child
    yield* elements(child, name)
  }
}

const attribute = (element: Element, name: string): string =>
  element.attrs.find((one) => one.name === name)?.value ?? ''

function textOf(node: Node): string {
  if (defaultTreeAdapter.isTextNode(node)) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}
