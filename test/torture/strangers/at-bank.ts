import { html, type PaymentReports } from '../../../src/index.ts'
import { withPage } from './target.ts'

/** A page whose form leads to a bank. It counts the forms that run at the same time. */
export class BankPage {
  says: PaymentReports | undefined = { status: 'open' }
  forms = 0
  most = 0
  #running = 0
  /** A form that runs ends when this is called. */
  finish = () => {}

  readonly adapter = withPage(
    'bank',
    {
      render: () => html`<form method="post"><button name="choose">Choose</button></form>`,
      submit: async ({ slow }) => {
        this.forms++
        this.#running++
        this.most = Math.max(this.most, this.#running)
        if (slow !== undefined) await new Promise<void>((resolve) => (this.finish = resolve))
        this.#running--
        return { redirect: 'https://bank.example/pay' }
      },
    },
    {
      start: ({ id }) => ({ page: true, reference: id }),
      status: () => {
        if (!this.says) throw new Error('no answer')
        return this.says
      },
      returned: { confirm: 'status', read: () => ({ again: true }) },
    },
  )
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 10))

type Send = (way: string, body?: string) => Promise<unknown>

/** Tries to pay twice by coming back from a bank: while the payment is under way, while nobody knows, and beside a form that runs. */
export async function tryAtBank(
  bank: BankPage,
  { send, page }: { send: Send; page: () => Promise<string> },
): Promise<string[]> {
  const violations: string[] = []
  const offers = async () => (await page()).includes('name="choose"')
  for (const [what, says] of [
    ['the service does not answer', undefined],
    ['the service works on the payment', { status: 'pending' }],
  ] as const) {
    await send('', 'choose=')
    bank.says = says
    for (const way of ['/return', '/again', '/look']) await send(way, 'redirect_status=failed')
    const before = bank.forms
    if (await offers()) violations.push(`a page offers its form while ${what}`)
    await send('', 'choose=')
    if (bank.forms > before) violations.push(`a page takes a form while ${what}`)
    bank.says = { status: 'open' }
    for (const way of ['/look', '/return']) await send(way)
    if (!(await offers())) violations.push('a payment that is open has no form any more')
  }

  // The form is offered again, and then the service begins to work on what the first one began.
  bank.says = { status: 'pending' }
  await send('/return')
  const taken = bank.forms
  if (await offers()) violations.push('a page offers its form while the service works on an earlier one')
  await send('', 'choose=')
  if (bank.forms > taken) violations.push('a page takes a form while the service works on an earlier one')
  bank.says = { status: 'open' }
  await send('/return')

  // A form runs, and somebody comes back beside it.
  const before = bank.forms
  const first = send('', 'slow=')
  while (bank.forms === before) await soon()
  for (const way of ['/return', '/again']) await send(way, '')
  const second = send('', 'choose=')
  // Long enough for a form that does not wait for its turn.
  for (let times = 0; times < 50 && bank.forms === before + 1; times++) await soon()
  bank.finish()
  await Promise.all([first, second])
  if (bank.forms > before + 1) violations.push('a form beside one that runs has an effect')
  if (bank.most > 1) violations.push('two forms of a page run at the same time')
  return violations
}
