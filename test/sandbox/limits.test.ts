import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { childProcesses, puppetJob, puppetSandbox } from './puppet.ts'

// The puppet has no isolate: what ends these jobs is the parent's clock and meter alone.
describe.each(['off', 'auto'] as const)('the parent, with namespace %s,', (namespace) => {
  let sandbox: Sandbox
  beforeAll(() => {
    sandbox = puppetSandbox({ namespace })
  })
  afterAll(async () => {
    await sandbox.close()
    expect(childProcesses()).toEqual([])
  })
  const run = async (...job: Parameters<typeof puppetJob>) => {
    const { end, durationMs } = await sandbox.run(puppetJob(...job), { scope: 's' })
    expect((await sandbox.run(puppetJob('pass'), { scope: 's' })).end).toEqual({ kind: 'completed' })
    return { end, durationMs }
  }

  test('ends a child that burns its processor time', async () => {
    const { end, durationMs } = await run('burn', { cpuMs: 300 })
    expect(end).toEqual({ kind: 'timeout', which: 'cpu' })
    expect(durationMs).toBeGreaterThan(300)
    expect(durationMs).toBeLessThan(5_000)
  })

  test('ends a child that sits inside one native call', async () => {
    expect((await run('tower', { cpuMs: 300 })).end.kind).toMatch(/^(timeout|memory|crash)$/)
  })

  test.each(['fill', 'buffers'])('ends a child that takes memory: %s', async (behaviour) => {
    expect((await run(behaviour, { memoryMiB: 128 })).end).toEqual({ kind: 'memory' })
  })

  test('ends a child that is idle for ever by the clock on the wall', async () => {
    expect((await run('silence', { wallMs: 200 })).end).toEqual({ kind: 'timeout', which: 'wall' })
  })

  test.each(['abort', 'segfault', 'exit'])('calls a child that ends by itself a crash: %s', async (behaviour) => {
    expect((await run(behaviour)).end.kind).toBe('crash')
  })
})
