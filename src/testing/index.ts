export { type StoreCase, storeCases, testStore } from './test-store.ts'
