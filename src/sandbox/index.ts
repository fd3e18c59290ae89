export { createSandbox, type SandboxOptions } from './create-sandbox.ts'
export { type IsolationProbe, probeIsolation } from './probe-isolation.ts'
