// The two files that an acquirer serves to browsers: a script for the shop's page, and the page that it shows in a frame there. A card's number
// exists in that frame alone.

/** Runs in the payment page. It shows the fields, and passes on what they say. */
export const fieldsScript = `(() => {
  const origin = new URL(document.currentScript.src).origin
  window.AcquirerFields = {
    mount(place, { key, locale, style, title }) {
      const frame = document.createElement('iframe')
      frame.src = origin + '/v1/fields?' + new URLSearchParams({ key, locale })
      frame.title = title
      // Room for the marks of focus.
      Object.assign(frame.style, { margin: '-4px', width: 'calc(100% + 8px)' })
      const events = new EventTarget()
      let settle
      addEventListener('message', ({ source, origin: from, data }) => {
        if (from !== origin || source !== frame.contentWindow) return
        if (data.height) frame.style.height = data.height + 'px'
        if (data.type === 'loaded') send({ type: 'style', style })
        if (data.type === 'token') settle?.(data)
        events.dispatchEvent(new Event(data.type))
      })
      const send = (message) => frame.contentWindow.postMessage(message, origin)
      place.append(frame)
      return {
        restyle: (to) => send({ type: 'style', style: to }),
        on: (type, listener) => events.addEventListener(type, listener),
        tokenize: () => new Promise((resolve) => { settle = resolve; send({ type: 'tokenize' }) }),
      }
    },
  }
})()`

const words: Record<string, readonly [number: string, expiry: string, code: string, wrong: string]> = {
  en: ['Card number', 'Valid until (MM/YY)', 'Security code', 'Please check this field.'],
  nl: ['Kaartnummer', 'Geldig tot (MM/JJ)', 'Beveiligingscode', 'Kijk dit veld na.'],
  de: ['Kartennummer', 'Gültig bis (MM/JJ)', 'Prüfnummer', 'Bitte prüfen Sie dieses Feld.'],
  fr: ['Numéro de carte', 'Expire fin (MM/AA)', 'Code de sécurité', 'Veuillez vérifier ce champ.'],
  es: ['Número de tarjeta', 'Válida hasta (MM/AA)', 'Código de seguridad', 'Revise este campo.'],
}

const field = (name: string, label: string, autocomplete: string) =>
  `<p><label for="${name}">${label}</label><input id="${name}" autocomplete="${autocomplete}" inputmode="numeric" aria-describedby="${name}-error"><span id="${name}-error" class="error"></span></p>`

/** The page in the frame. It makes a token of a card, and posts that to the page around it. */
export function fieldsPage(query: URLSearchParams): string {
  const locale = words[query.get('locale') ?? ''] ? query.get('locale')! : 'en'
  const [number, expiry, code, wrong] = words[locale]!
  return `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>${number}</title><style>
*{box-sizing:border-box}body{margin:0;padding:4px;background:var(--background,Canvas);font:var(--font,1rem/1.5 sans-serif);color:var(--color,CanvasText)}
form{display:grid;gap:.25rem 1rem;grid-template-columns:repeat(auto-fit,minmax(min(9rem,100%),1fr))}p{margin:0;display:grid;grid-row:span 3;grid-template-rows:subgrid}
p:first-child{grid-column:1/-1;margin-bottom:.5rem}label{font-weight:600;align-self:end}input{font:inherit;width:100%;min-height:2.75rem;padding:.625rem .75rem;color:inherit;background:var(--background,Canvas);border:1px solid var(--border,GrayText);border-radius:var(--radius,8px)}
input:focus-visible{outline:3px solid #1f6feb;outline-offset:0}[aria-invalid]{border-width:2px}.error{font-weight:600;font-size:.9375rem;color:light-dark(#b42318,#ff9c92)}button{position:absolute;opacity:0;pointer-events:none}
</style><main><form novalidate>${field('number', number, 'cc-number')}${field('expiry', expiry, 'cc-exp')}${field('code', code, 'cc-csc')}<button tabindex="-1" aria-hidden="true">OK</button></form></main><script>
const say = (message) => parent.postMessage({ height: document.documentElement.querySelector('main').offsetHeight + 8, ...message }, '*')
const inputs = [...document.querySelectorAll('input')]
const digits = ({ value }) => value.replace(/\\D/g, '')
const luhn = (text) => text.length > 12 && [...text].reverse().reduce((sum, one, at) => sum + (at % 2 ? (one * 2 > 9 ? one * 2 - 9 : one * 2) : +one), 0) % 10 === 0
const checks = [(one) => luhn(digits(one)), (one) => /^(0[1-9]|1[0-2])\\d\\d$/.test(digits(one)), (one) => /^\\d{3,4}$/.test(digits(one))]
function check() {
  const faults = inputs.filter((one, at) => {
    const isRight = checks[at](one)
    one.nextElementSibling.textContent = isRight ? '' : '${wrong}'
    isRight ? one.removeAttribute('aria-invalid') : one.setAttribute('aria-invalid', 'true')
    return !isRight
  })
  faults[0]?.focus()
  return faults.length === 0
}
addEventListener('message', async ({ source, data }) => {
  if (source !== parent) return
  if (data.type === 'style') {
    for (const name of ['font', 'color', 'background', 'border', 'radius']) document.documentElement.style.setProperty('--' + name, data.style[name])
    say({ type: 'ready' })
  }
  if (data.type !== 'tokenize') return
  if (!check()) return say({ type: 'token' })
  const answer = await fetch('/v1/payment_methods' + location.search, { method: 'POST', body: JSON.stringify({ number: digits(inputs[0]) }) })
  say({ type: 'token', token: (await answer.json()).id })
})
document.forms[0].addEventListener('submit', (event) => { event.preventDefault(); say({ type: 'submit' }) })
new ResizeObserver(() => say({ type: 'height' })).observe(document.querySelector('main'))
say({ type: 'loaded' })
</script></html>`
}
