export { measureTrust } from './measure-trust.ts'
