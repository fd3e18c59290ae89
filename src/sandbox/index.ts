export { createSandbox, type SandboxOptions } from './create-sandbox.ts'
export { probeIsolation } from './probe-isolation.ts'
