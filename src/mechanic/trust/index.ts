export { measureTrust } from './measure-trust.ts'
export { closeTrustThread } from './thread.ts'
