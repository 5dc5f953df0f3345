import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Intents } from './intents.ts'

const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const page = (content: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Your bank</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;margin:0;padding:1.5rem;display:grid;justify-items:center}main{max-width:24rem;width:100%;display:grid;gap:1rem}h1{font-size:1.25rem;margin:0}p{margin:0}button,a{font:inherit;min-height:2.75rem}form{display:grid;gap:1rem}</style>
<main><h1>Your bank</h1>${content}</main></html>`

/** The page where a customer confirms a payment to their bank: a challenge of 3-D Secure. */
export function bankPages(intents: Intents): RequestListener {
  return async (req, res) => {
    const [, id = ''] = /^\/challenge\/(\w+)$/.exec(req.url!) ?? []
    const challenge = intents.challenge(id)
    const answer = (content: string) =>
      res.setHeader('content-type', 'text/html; charset=utf-8').end(page(content))
    if (!challenge) return void res.writeHead(404).end()
    const { intent, returnUrl, back } = challenge
    const isOver = intent.status !== 'requires_action'
    if (req.method !== 'POST' || isOver) {
      if (isOver)
        return void answer(`<p>Nothing is left to confirm.</p><a href="${escaped(returnUrl)}">Back</a>`)
      const sum = `${(intent.amount / 100).toFixed(2)} ${intent.currency.toUpperCase()}`
      return void answer(
        `<p>Do you want to pay ${sum}?</p><form method="post"><button name="answer" value="yes">Confirm</button><button name="answer" value="no">Refuse</button></form>`,
      )
    }
    const confirmed = new URLSearchParams(await text(req)).get('answer') === 'yes'
    intents.authenticated(id, confirmed)
    const result = { payment_intent: id, redirect_status: confirmed ? 'succeeded' : 'failed' }
    if (back === 'get')
      return void res.writeHead(303, { location: `${returnUrl}?${new URLSearchParams(result)}` }).end()
    const fields = Object.entries(result)
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
      .join('')
    const form = `<form method="post" action="${escaped(returnUrl)}">${fields}<button>Continue</button></form>`
    if (back === 'post') return void answer(`${form}<script>document.forms[0].submit()</script>`)
    const message = JSON.stringify({ type: 'challenge', ...result })
    const to = JSON.stringify(new URL(returnUrl).origin)
    answer(
      `<p>Thank you.</p><script>if (parent === window) location = ${JSON.stringify(`${returnUrl}?${new URLSearchParams(result)}`)}; else parent.postMessage(${message}, ${to})</script>`,
    )
  }
}
