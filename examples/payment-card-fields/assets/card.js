// Fills the place of the card with the acquirer's fields, and sends the token of the card with the form: the card itself never comes here.
addEventListener('DOMContentLoaded', () => {
  const place = document.getElementById('card')
  // Where the acquirer's script did not load, the page says what to do.
  if (place && window.AcquirerFields) showFields(place)
  const challenge = document.getElementById('challenge')
  if (challenge) awaitChallenge(challenge)
})

function showFields(place) {
  const { form } = document.getElementById('email')
  const token = form.elements.namedItem('card')
  const fields = window.AcquirerFields.mount(place, {
    key: place.dataset.key,
    locale: document.documentElement.lang,
    title: document.getElementById('card-label').textContent,
    style: styleOf(document.getElementById('email')),
  })
  // The device may turn dark while the page is open.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    fields.restyle(styleOf(document.getElementById('email'))),
  )
  let isBusy = false
  fields.on('ready', () => {
    place.dataset.ready = ''
  })
  fields.on('submit', () => form.requestSubmit())
  form.addEventListener('submit', async (event) => {
    // A frame that did not load makes no token: the answer to the form says so.
    if (!('ready' in place.dataset)) return
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    const made = await fields.tokenize()
    if (made.token) {
      token.value = made.token
      form.submit()
    } else isBusy = false
  })
  // Back may show this page as it was left.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

/** The fields look like those of the page. */
function styleOf(input) {
  const { color, backgroundColor, borderTopColor, borderTopLeftRadius, font } = getComputedStyle(input)
  return { color, background: backgroundColor, border: borderTopColor, radius: borderTopLeftRadius, font }
}

/** The bank's page in the frame is done: the customer goes on to the address that reads the outcome. */
function awaitChallenge(frame) {
  const { origin } = new URL(frame.src)
  addEventListener('message', ({ source, origin: from, data }) => {
    if (from !== origin || source !== frame.contentWindow || data?.type !== 'challenge') return
    const result = new URLSearchParams({ redirect_status: data.redirect_status })
    location.assign(`${frame.dataset.back}?${result}`)
  })
}
