import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeFrame, FrameReader, FrameTooLarge } from '../../src/sandbox/framing.ts'
import { ProtocolViolation, parseFromChild } from '../../src/sandbox/protocol.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { childProcesses, puppetJob, puppetSandbox } from './puppet.ts'

describe('frames', () => {
  test('any messages come out whole and in order, however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (values, cuts) => {
          const stream = Buffer.concat(values.map(encodeFrame))
          const reader = new FrameReader(1_000_000)
          const frames: Buffer[] = []
          for (let at = 0, turn = 0; at < stream.length; turn++) {
            const length = cuts[turn % cuts.length] ?? 1
            frames.push(...reader.push(stream.subarray(at, at + length)))
            at += length
          }
          expect(frames.map((frame) => JSON.stringify(JSON.parse(frame.toString())))).toEqual(
            values.map((value) => JSON.stringify(value)),
          )
          expect(reader.pendingBytes).toBe(0)
        },
      ),
    )
  })

  test('a length beyond the bound is refused before its body comes', () => {
    const reader = new FrameReader(100)
    expect(() => reader.push(Buffer.from([101, 0, 0, 0]))).toThrow(FrameTooLarge)
  })
})

describe('messages of a child', () => {
  test('anything but a message is a violation, never another error', () => {
    const bytes = fc.uint8Array().map((array) => Buffer.from(array))
    const json = fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)))
    const nearly = fc
      .record({
        type: fc.constantFrom('ready', 'probed', 'running', 'test', 'variant', 'done', 'failed', 'run'),
        id: fc.oneof(fc.integer(), fc.jsonValue()),
        outcome: fc.oneof(
          fc.jsonValue(),
          fc.record({ kind: fc.constantFrom('test', 'program', 'search'), end: fc.jsonValue() }),
        ),
      })
      .map((value) => Buffer.from(JSON.stringify(value)))
    fc.assert(
      fc.property(fc.oneof(bytes, json, nearly), (frame) => {
        try {
          parseFromChild(frame)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolViolation)
        }
      }),
    )
  })

  test('causes nested without end do not exhaust the stack', () => {
    let error = '{"name":"E","message":"","stack":""}'
    for (let depth = 0; depth < 20_000; depth++) error = `{"name":"E","message":"","stack":"","cause":${error}}`
    const frame = `{"type":"done","id":1,"outcome":{"kind":"program","end":{"kind":"completed"},"error":${error},"stdout":"","stderr":"","exitCode":1,"durationMs":1}}`
    const message = parseFromChild(Buffer.from(frame))
    expect(JSON.stringify(message).length).toBeLessThan(2_000)
  })
})

describe('a child that breaks the protocol', () => {
  let sandbox: Sandbox
  beforeAll(() => {
    sandbox = puppetSandbox()
  })
  afterAll(() => sandbox.close())
  const end = async (behaviour: string, stdin = '') =>
    (await sandbox.run(puppetJob(behaviour, { wallMs: 5_000 }, stdin), { scope: 's' })).end

  test.each(['truncated', 'huge-length', 'twice', 'other-job', 'other-kind', 'ready-again', 'not-json', 'exit'])(
    '%s ends its job as a crash, and the next job gets another process',
    async (behaviour) => {
      const before = (await sandbox.run(puppetJob('pass'), { scope: 's' })).stdout
      expect(await end(behaviour)).toMatchObject({ kind: 'crash' })
      const after = await sandbox.run(puppetJob('pass'), { scope: 's' })
      expect(after.end).toEqual({ kind: 'completed' })
      expect(after.stdout).not.toBe(before)
    },
  )

  test('a second reply after the verdict ends the child, not the next job', async () => {
    expect(await end('twice-later')).toEqual({ kind: 'completed' })
    await expect.poll(() => childProcesses().length).toBe(0)
    expect(await end('pass')).toEqual({ kind: 'completed' })
  })

  test('a child that never replies is ended by the clock on the wall', async () => {
    const outcome = await sandbox.run(puppetJob('silence', { wallMs: 100 }), { scope: 's' })
    expect(outcome.end).toEqual({ kind: 'timeout', which: 'wall' })
  })

  test('a flood of messages ends as output', async () => {
    expect(await end('flood')).toEqual({ kind: 'output' })
  })

  test('a driver that reports its own failure is the environment, not the candidate', async () => {
    expect(await end('fails-itself')).toMatchObject({
      kind: 'environment',
      detail: expect.stringContaining('no snapshot'),
    })
  })

  test('random bytes are a coded failure of their job alone', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), async (bytes) => {
        expect((await end('bytes', Buffer.from(bytes).toString('base64'))).kind).toBe('crash')
        expect(await end('pass')).toEqual({ kind: 'completed' })
      }),
      { numRuns: 15 },
    )
  })
})
