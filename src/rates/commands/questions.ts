import { type Db, ifGiven, matching, members, type Row, value } from '../../store/columns.ts'
import { all, type Command, first, holding, read, together, write } from '../../store/query.ts'
import type { RatesExplanation } from '../explanation.ts'

/** One question for rates with its answer, without anything that a customer typed but the country. */
export interface AskedRates {
  id: string
  shopId: string
  /** Milliseconds since 1970. */
  at: number
  kind: 'checkout' | 'estimate'
  /** Two letters; empty where the question has none. */
  country: string
  /** With its unit, such as `4.2 kg`. Not set where it is unknown. */
  weight: string | undefined
  lines: number
  /** The price of the cart with tax, as decimal text. */
  value: string
  currency: string
  ms: number
  /** How many methods the answer had. */
  methods: number
  /** Whether an adapter failed, a method was left out, or there was no method at all. */
  missing: boolean
  explanation: Pick<RatesExplanation, 'adapters' | 'fallback' | 'deadline'>
}

export interface AskedFilter {
  shopId?: string | undefined
  since: number
  /** Only those before this moment, which is that of the last one of the page before. */
  before: number
  /** Only those with something missing. */
  missing: boolean
  limit: number
}

const askedFrom = (row: Row<'rate_questions'>): AskedRates => ({
  ...members(
    row,
    'id',
    'shop_id',
    'at',
    'kind',
    'country',
    'weight',
    'lines',
    'value',
    'currency',
    'ms',
    'methods',
  ),
  missing: row.missing === 1,
  explanation: JSON.parse(row.explanation),
})

/** Questions for rates that were kept for people, for seven days. */
export function questionCommands(db: Db) {
  const add = db.addNewRow('rate_questions')
  const old = db.deleteBefore('rate_questions', 'at')
  const one = db.rowsBy('rate_questions', ['id'])
  const listOf = (which: ReturnType<typeof matching>) =>
    db.text<Row<'rate_questions'>>`select * from rate_questions where ${which} and at >= ${value('since')}
        and at < ${value('before')} and missing >= cast(${value('missing')} as integer)
        order by at desc limit ${value('limit')}`
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

    /** The newest first. */
    questions: read(function* ({ missing, ...filter }: AskedFilter): Command<AskedRates[]> {
      const query = filter.shopId === undefined ? ofAll : ofShop
      return (yield* all(query, { ...filter, missing: Number(missing) })).map(askedFrom)
    }),

    question: read(function* (id: string): Command<AskedRates | undefined> {
      const row = yield* first(one, { id })
      return row && askedFrom(row)
    }),

    forgetQuestions: write(function* (before: number): Command<void> {
      yield* holding()
      yield* all(old, { before })
    }),
  }
}
