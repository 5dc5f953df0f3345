const second = 1_000
const minute = 60 * second

/** The most forms of one attempt, unless the adapter sets a lower figure. All attempts of an order together have twice as many. */
export const mostForms = 30

/** So many forms may come to nothing before the page pauses. */
const withoutPause = 5
const longestPause = 5 * minute

/** The forms of a page that were handed to its adapter, counted before the adapter is called. */
export interface FormCount {
  forms: number
  /** Those of them that came to nothing, or whose outcome is not known. A step that goes on is not among them. */
  fruitless: number
  /** Before that moment no form is taken, in milliseconds since 1970. */
  nextAt: number
  /** There were too many: the page takes no more. */
  isOver?: true
}

/** The count with one more form. It came to nothing, until its outcome says otherwise. */
export function withForm({ forms, fruitless }: FormCount, now: number): FormCount {
  const over = fruitless + 1 - withoutPause
  const pause = over < 0 ? 0 : Math.min(longestPause, second * 2 ** over)
  return { forms: forms + 1, fruitless: fruitless + 1, nextAt: now + pause }
}

/** The count once its last form turned out to be a step that goes on. */
export const withStep = ({ forms, fruitless }: FormCount): FormCount => ({
  forms,
  fruitless: fruitless - 1,
  nextAt: 0,
})

/** The count of a page that takes no more forms. Should its attempt go on, a form that comes all the same ends it, seldom. */
export const withoutForms = (count: FormCount, now: number): FormCount => ({
  ...count,
  nextAt: now + longestPause,
  isOver: true,
})

/** The milliseconds until a page takes a form; 0 at once. A clock that was set back makes no pause longer. */
export function pauseLeft({ nextAt }: FormCount, now: number): number {
  const left = nextAt - now
  return left > 0 && left <= longestPause ? left : 0
}

/** Whether an attempt has had as many forms as it may, or its order has, in all attempts together. */
export const hadTooMany = (own: FormCount, ofOrder: readonly FormCount[], most = mostForms): boolean =>
  own.forms >= most || ofOrder.reduce((sum, { forms }) => sum + forms, 0) >= 2 * most

/**
 * The foreign https origins of an adapter's pages, such as `https://js.psp.example`, by what a page may do with each. Without an origin
 * nothing of it loads: a page without `allow` runs no script but those of its `assets`.
 */
export interface PageAllow {
  /** Scripts that the page loads: hosted fields of a payment service. */
  script?: readonly string[]
  /** Pages that it shows in a frame: hosted fields, 3-D Secure. */
  frame?: readonly string[]
  /** Origins that its scripts call. */
  connect?: readonly string[]
  /** Images that it shows. Default: its own. */
  img?: readonly string[]
  /** Style sheets that it loads. Default: its own. */
  style?: readonly string[]
  /** Origins that its forms post to, beside its own. */
  form?: readonly string[]
  /** Windows that it opens may answer it: wallets and banks that come in a window. Default false. */
  popups?: boolean
  /** Origins in its frames that may ask the browser for a payment: wallets. */
  payment?: readonly string[]
}

/** Created by `html`, already escaped. */
export type PageContent = { toString(): string } & {
  /** Set by `html` and `raw`: the text is HTML. Without it the text is escaped. */
  isEscaped?: true
}

/** The entries of a customer in the form before, and the faults in them. */
export interface FormState {
  /** By the names of the fields. Those of a card are never shown again. */
  values?: Readonly<Record<string, string>>
  /** By the names of the fields: a sentence, or the key of a text. One of another name is about the whole form. */
  errors?: Readonly<Record<string, string>>
}

/** How a field is filled in: on a phone it opens the right keyboard, and the browser offers what it knows. */
export type FieldKind =
  | 'text'
  | 'name'
  | 'email'
  | 'phone'
  | 'iban'
  | 'cardNumber'
  | 'cardExpiry'
  | 'cardCode'
  | 'cardName'

/** A field of a form: one line of text. */
export type Field = FieldMembers &
  (
    | {
        /** Default `text`, which needs a label. */
        kind?: 'text'
        /** A text or the key of one. */
        label: string
      }
    | {
        kind: Exclude<FieldKind, 'text'>
        /** A text or the key of one. Default: that of the kind. */
        label?: string
      }
  )

/** The members of every field of a form. */
export interface FieldMembers {
  /** The name in the form that is posted. */
  name: string
  /** A sentence below the label, or the key of one. Default: that of the kind, if it has one. */
  hint?: string
  /** Default true. */
  required?: boolean
  /** In characters. Default: as the kind needs. */
  maxLength?: number
}

/** One of several that a customer chooses from. */
export interface Choice {
  value: string
  label: string
  /** An address of this page's own origin, or of an origin in `allow.img`. */
  icon?: string
}

/** A place that a script of the payment service fills, such as hosted card fields. */
export interface HostedPlace {
  /** The id of the place, and the name of its error. */
  name: string
  /** A text or the key of one. */
  label: string
  /** The rows of fields that it will hold, each with its label: nothing moves when they load. Default 1. */
  rows?: 1 | 2 | 3
  /** For the script: `{ key: 'pk_1' }` becomes `data-key`. */
  data?: Readonly<Record<string, string>>
}

/** Builds the parts of a form: each field with its label, its hint and its error where a reader of the screen finds them. */
export interface PageForm {
  /** One line of text. */
  field(field: Field): PageContent
  /** Fields side by side, where there is room. */
  row(...fields: PageContent[]): PageContent
  /** One choice of several. The one that was chosen before stays; otherwise none is. */
  radios(choice: { name: string; label: string; choices: readonly Choice[] }): PageContent
  /** A box to tick. Posted as `on`. */
  checkbox(box: {
    name: string
    label: string
    /** Whether it has to be ticked. Default false. */
    required?: boolean
  }): PageContent
  /**
   * A place for hosted fields. Where scripts are off, or the fields have not loaded after six seconds, it says what to do. The script that fills
   * the place sets its `data-ready` once they have. The error `hostedMissing` says the same about a form that came without them.
   */
  hosted(place: HostedPlace): PageContent
  /** The form around its parts, with its button. It posts to the page itself. */
  whole(form: { button: string; parts: readonly PageContent[] }): PageContent
}
