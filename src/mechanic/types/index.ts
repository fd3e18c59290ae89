export { repairTypes, type TypeRepair } from './repair-types.ts'
export { closeRepairThreads } from './thread.ts'
