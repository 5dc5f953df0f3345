export * from './amount.ts'
export * from './price.ts'
