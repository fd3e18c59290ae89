export { createValidator, type ValidatorOptions } from './create-validator.ts'
export { createTypeService, type Judgement, type TypeService, type TypeServiceOptions } from './type-service.ts'
