import { type Db, ifGiven, matching, type Plain, plain, type Row, value } from '../../store/columns.ts'
import { all, type Command, holding, read, together, write } from '../../store/query.ts'
import type { RatesExplanation } from '../explanation.ts'

/**
 * One question for rates with its answer, without anything that a customer typed but the country, of two letters and empty where the question
 * has none. `weight` has its unit, and `value` is the price of the cart with tax. `missing`: an adapter failed, a method was left out, or there
 * was none at all.
 */
export interface AskedRates extends Omit<Plain<Row<'rate_questions'>>, 'missing' | 'explanation'> {
  missing: boolean
  explanation: Pick<RatesExplanation, 'adapters' | 'fallback' | 'deadline'>
}

export interface AskedFilter {
  shopId?: string | undefined
  since: number
  /** Only those before the one with this id, which is the last one of the page before. */
  before?: string | undefined
  missing: boolean
  limit: number
}

const askedFrom = (row: Row<'rate_questions'>): AskedRates => ({
  ...plain(row),
  missing: row.missing === 1,
  explanation: JSON.parse(row.explanation),
})

/** Questions for rates that were kept for people, for seven days. */
export function questionCommands(db: Db) {
  const add = db.addNewRow('rate_questions')
  const old = db.deleteBefore('rate_questions', 'at')
  const listOf = (which: ReturnType<typeof matching>) =>
    db.text<Row<'rate_questions'>>`select * from rate_questions where ${which} and at >= ${value('since')}
        and (cast(${value('before')} as text) is null
          or (at, id) < (select at, id from rate_questions where id = ${value('before')}))
        and missing >= cast(${value('missing')} as integer)
        order by at desc, id desc limit ${value('limit')}`
  const [ofShop, ofAll] = [listOf(matching('shop_id')), listOf(ifGiven('shop_id'))]

  return {
    noteQuestions: write(function* (asked: readonly AskedRates[]): Command<void> {
      yield* holding()
      yield* together(
        ...asked.map(({ missing, explanation, ...rest }) =>
          add({ ...rest, missing: Number(missing), explanation: JSON.stringify(explanation) }),
        ),
      )
    }),

    questions: read(function* ({ missing, ...filter }: AskedFilter): Command<AskedRates[]> {
      const query = filter.shopId === undefined ? ofAll : ofShop
      return (yield* all(query, { ...filter, missing: Number(missing) })).map(askedFrom)
    }),

    forgetQuestions: write(function* (before: number): Command<void> {
      yield* holding()
      yield* all(old, { before })
    }),
  }
}
