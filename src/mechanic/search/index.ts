export { searchLogic } from './search-logic.ts'
export { closeSearchThread } from './thread.ts'
