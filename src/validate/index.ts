export { createValidator } from './create-validator.ts'
export { createTypeService, type TypeService } from './type-service.ts'
