/** Every kind of change of a price. `currency`: old and new are in different currencies, so that neither is the lower one. */
export const changeKinds = ['dearer', 'cheaper', 'lost', 'new', 'currency'] as const
export type ChangeKind = (typeof changeKinds)[number]
