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
