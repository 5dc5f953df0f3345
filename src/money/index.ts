export * from './amount.ts'
export * from './forms.ts'
