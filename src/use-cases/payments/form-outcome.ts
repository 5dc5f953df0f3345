import { wrongAnswer } from '../../errors.ts'
import { type FormCount, withStep } from '../../payments/form-limits.ts'
import type { PageContent } from '../../payments/page-form.ts'
import { mostState, type PageState } from '../../payments/page-state.ts'
import { readReports } from '../../payments/read-report.ts'
import type { Statement } from '../../payments/report.ts'
import type { MaybePromise } from '../../world.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'

export interface FormOutcome {
  /** Its reports; empty where it leads on. */
  said: Statement[]
  /** Where it leaves the customer. */
  state: PageState
}

/** Reads the answer of `page.submit` to the last form of this count. Throws `ADAPTER_ANSWER_INVALID` or `ARGUMENT_INVALID` for one that is none. */
export async function readOutcome(
  { development, world }: Workings,
  { name }: AnyPaymentAdapter,
  answer: unknown,
  count: FormCount,
): Promise<FormOutcome> {
  const refuse = (why: string) => wrongAnswer(`submit() of payment adapter "${name}" returns ${why}`)
  const { again, step, redirect } = Object(answer ?? {}) as {
    again?: MaybePromise<PageContent>
    step?: unknown
    redirect?: unknown
  }
  const ways = [again, redirect, (answer as { status?: unknown } | undefined)?.status]
  if (ways.filter((way) => way !== undefined && way !== null).length > 1)
    throw refuse('several of a report, `again` and `redirect`: give one of them')
  if (redirect !== undefined) {
    const url = typeof redirect === 'string' ? URL.parse(redirect) : null
    if (!url || !(url.protocol === 'https:' || (development && url.protocol === 'http:')))
      throw refuse('a redirect that is not an https address')
    return { said: [], state: { is: 'onward', url: url.href, at: world.now(), count } }
  }
  if (again !== undefined && again !== null) {
    const shown = await again
    if (typeof shown !== 'string' && shown?.isEscaped !== true)
      throw refuse('`again` without content: it is a text, or made by `html`')
    const content = String(shown)
    // A text of `html` is escaped already.
    const isText = typeof shown === 'string'
    // It says for certain that nothing moved, however long it is.
    if (Buffer.byteLength(content) > mostState) return { said: [], state: { is: 'open', count } }
    return {
      said: [],
      state: { is: 'again', content, isText, count: step === true ? withStep(count) : count },
    }
  }
  const said = answer === undefined ? [] : readReports(answer as never)
  if (said.every(({ word }) => word === 'open' || word === 'named'))
    throw refuse(
      'no outcome: report the status that the form led to, which is not "open", or return { again } or { redirect }',
    )
  return { said, state: { is: 'done', count } }
}
