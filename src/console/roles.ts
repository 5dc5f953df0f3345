/** The roles of people in the console, each with all that the ones before it may do. */
export const roles = ['reader', 'support', 'finance', 'admin'] as const
/** A role of a person in the console. */
export type ConsoleRole = (typeof roles)[number]

/** Somebody who is signed in. `at`: since when, in milliseconds since 1970. */
export interface Who {
  name: string
  role: ConsoleRole
  at: number
}

/** Whether a role may do what needs another one at least. */
export const allows = (role: ConsoleRole, least: ConsoleRole): boolean =>
  roles.indexOf(role) >= roles.indexOf(least)

/** The roles that may do what needs this one at least: `Finance and admin`. */
export function rolesWith(least: ConsoleRole): string {
  const names = roles.slice(roles.indexOf(least))
  const words = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0]!
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Every action of the console, with the least role that may take it. Pages are open to readers. */
export const actions = {
  ask: 'support',
  send: 'support',
  open: 'support',
  try: 'support',
  compare: 'support',
  close: 'support',
  report: 'finance',
  refund: 'finance',
  capture: 'finance',
  release: 'admin',
  rotate: 'admin',
  disable: 'admin',
  enable: 'admin',
  'sign-out': 'admin',
} as const satisfies Record<string, ConsoleRole>
export type Action = keyof typeof actions

/** Why something is not done, in a sentence for whoever asked for it. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

/** Throws a `Refused` for somebody whose role may not do it. In development everybody may do everything. */
export function expectRole(who: Who | undefined, action: Action): void {
  if (!who || allows(who.role, actions[action])) return
  throw new Refused(403, `Your role (${who.role}) may not do this. ${rolesWith(actions[action])} may.`)
}
