import { describe, expect, it } from 'vitest'
import { resolveTask } from '../src/task.ts'

const tests = { 'solution.test.ts': "it('works', () => {})" }
const solve = (task: object, hasModel = true) =>
  resolveTask({ instruction: 'Add.', tests, ...task }, { kind: 'solve', hasModel })
const repair = (task: object, hasModel: boolean) =>
  resolveTask({ instruction: 'Add.', tests, files: { 'lib/a.js': 'x' }, ...task }, { kind: 'repair', hasModel })

describe('resolveTask', () => {
  it('fills the defaults of design and of the kind of run', () => {
    expect(solve({})).toMatchObject({
      language: 'typescript',
      entry: 'solution.ts',
      policy: { maxAttempts: 4, mechanic: { mode: 'quick', maxCandidates: 2_000 } },
    })
    expect(repair({}, true).policy.mechanic).toEqual({ mode: 'first', maxCandidates: 2_000, maxTimeMs: 30_000 })
    expect(repair({}, false).policy.mechanic).toEqual({ mode: 'only', maxCandidates: 2_000, maxTimeMs: 60_000 })
  })

  it('takes language and entry from the only starting file', () => {
    expect(repair({}, false)).toMatchObject({ language: 'javascript', entry: 'lib/a.js' })
  })

  it.each([
    [{ instruction: '  ' }, 'INSTRUCTION_EMPTY'],
    [{ tests: {} }, 'TESTS_REQUIRED'],
    [{ language: 'python' }, 'LANGUAGE_UNAVAILABLE'],
    [{ unknown: 1 }, 'INVALID_TASK'],
    [{ policy: { maxAttempts: -1 } }, 'INVALID_TASK'],
    [{ policy: { maxCostUsd: 1 } }, 'PRICE_REQUIRED'],
  ])('refuses %j with %s', (change, code) => {
    expect(() => solve(change)).toThrow(expect.objectContaining({ code }))
  })

  it.each([
    ['the module that tests import', { 'a.test.ts': "import { f } from './clamp'" }, {}, 'clamp.ts'],
    ['with its extension for TypeScript', { 'a.test.ts': "import { f } from './clamp.js'" }, {}, 'clamp.ts'],
    ['the one named like the test', { 'b.test.ts': "import './a'\nimport './b'" }, {}, 'b.ts'],
    ['from the folder of the test', { 'test/b.spec.ts': "import '../src/b.ts'" }, {}, 'src/b.ts'],
    ['not what the context provides', { 'b.test.ts': "import './a'\nimport './c'" }, { 'a.ts': '' }, 'c.ts'],
    ['not what lies above the task', { 'b.test.ts': "import '../a'" }, {}, 'solution.ts'],
    ['not a package, nor data', { 'b.test.ts': "import 'a'\nimport './a.json'" }, {}, 'solution.ts'],
  ])('takes as entry of a new program %s', (_, tests, context, entry) => {
    const task = resolveTask({ instruction: 'Write it.', tests, context }, { kind: 'solve', hasModel: true })
    expect(task.entry).toBe(entry)
  })

  it('says how to give a model where one is needed', () => {
    expect(() => solve({}, false)).toThrow(/OPENAI_API_KEY[\s\S]*Ollama[\s\S]*llama\.cpp[\s\S]*vLLM/)
    expect(() => repair({ policy: { mechanic: { mode: 'first' } } }, false)).toThrow(
      expect.objectContaining({ code: 'MODEL_REQUIRED' }),
    )
  })

  it('lets the policy of the task win over that of the engine', () => {
    const task = resolveTask(
      { instruction: 'x', tests, policy: { maxAttempts: 2 } },
      { kind: 'solve', hasModel: true, policy: { maxAttempts: 9, maxTimeMs: 5 } },
    )
    expect(task.policy).toMatchObject({ maxAttempts: 2, maxTimeMs: 5 })
  })
})
