export { closeRepairThreads } from './thread.ts'
