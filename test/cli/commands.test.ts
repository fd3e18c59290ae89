import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../src/cli/program.ts'
import { eventSchema, reportSchema, resultSchema } from '../../src/index.ts'
import { createScriptedServer } from '../../src/testing/index.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redgreen-cli-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function redgreen(args: readonly string[], environment: Record<string, string> = {}) {
  let stdout = ''
  let stderr = ''
  let interrupt = (): void => {}
  const exitCode = await main(args, {
    stdout: { write: (text) => (stdout += text), columns: 80 },
    stderr: { write: (text) => (stderr += text) },
    environment,
    now: () => 0,
    onInterrupt: (listener) => {
      interrupt = listener
      return () => {}
    },
  })
  return { exitCode, stdout, stderr, interrupt }
}

const write = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const doubleTest =
  "import { expect, it } from 'vitest'\nimport { double } from './double'\nit('doubles', () => expect(double(4)).toBe(8))\n"
const goodDouble = 'export const double = (n: number): number => n + n\n'
const fenced = (code: string): string => `\`\`\`ts\n${code}\`\`\``

describe('redgreen verify', () => {
  it('says green with exit 0 and infers the tests from the name', async () => {
    write('double.test.ts', doubleTest)
    const { exitCode, stdout } = await redgreen(['verify', write('double.ts', goodDouble)])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^green {2}1 of 1 tests pass/)
  })

  it('prints only the report with --json, and exits 1 when red', async () => {
    write('double.test.ts', doubleTest)
    const { exitCode, stdout, stderr } = await redgreen([
      'verify',
      write('double.ts', 'export const double = (n: number): number => n\n'),
      '--json',
    ])
    expect([exitCode, stderr]).toEqual([1, ''])
    expect(reportSchema.parse(JSON.parse(stdout))).toMatchObject({
      passed: false,
      failures: [{ kind: 'logic', expected: '8', actual: '4' }],
    })
  })
})

describe('redgreen solve', () => {
  const solveArgs = (server: { baseURL: string }, ...more: string[]): string[] => [
    'solve',
    'Double a number.',
    '--tests',
    join(folder, 'solution.test.ts'),
    '--base-url',
    server.baseURL,
    '--model',
    'm',
    '--mechanic',
    'off',
    ...more,
  ]

  beforeEach(() => {
    write('solution.test.ts', doubleTest.replace('./double', './solution'))
  })

  it('writes the verified file and nothing else, and prints a Result of the published schema', async () => {
    await using server = await createScriptedServer({ script: [fenced(goodDouble)] })
    const out = join(folder, 'out.ts')
    const { exitCode, stdout } = await redgreen(solveArgs(server, '--json', '--out', out))
    expect(exitCode).toBe(0)
    expect(resultSchema.parse(JSON.parse(stdout))).toMatchObject({ verified: true })
    expect(readFileSync(out, 'utf8').trim()).toBe(goodDouble.trim())
  })

  it('prints events as NDJSON, the Result inside the last one', async () => {
    await using server = await createScriptedServer({ script: [fenced(goodDouble)] })
    const { stdout } = await redgreen(solveArgs(server, '--events'))
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => eventSchema.parse(JSON.parse(line)))
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index))
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', result: { status: 'passed' } })
  })

  it('leaves the output alone, exits 1 and hands over when it gives up', async () => {
    const wrong = (n: number): string => fenced(`export const double = (n: number): number => n * ${n}\n`)
    await using server = await createScriptedServer({
      script: (request) =>
        request.role === 'generate' ? wrong(server.requests.length + 3) : '{"cause":"c","fix":"f","blame":"code"}',
    })
    const out = write('out.ts', 'untouched')
    const report = join(folder, 'report.md')
    const { exitCode, stdout } = await redgreen(
      solveArgs(server, '--max-attempts', '2', '--out', out, '--report', report),
    )
    expect(exitCode).toBe(1)
    expect(readFileSync(out, 'utf8')).toBe('untouched')
    expect(stdout).toContain('NOT VERIFIED')
    expect(readFileSync(report, 'utf8')).toMatch(/# Hand-over: attempts[\s\S]*attempt 1[\s\S]*attempt 2/)
  })

  it('records what the model said, without its key, and replays it with no model', async () => {
    await using server = await createScriptedServer({ script: [fenced(goodDouble)] })
    const recording = join(folder, 'run.json')
    await redgreen(solveArgs(server, '--record', recording, '--quiet'), { OPENAI_API_KEY: 'sk-never-write-me' })
    expect(readFileSync(recording, 'utf8')).not.toContain('sk-never-write-me')
    const { exitCode, stdout } = await redgreen(['solve', '--replay', recording])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('were recorded')
  })

  it('shows what would be sent with --dry-run and sends nothing', async () => {
    await using server = await createScriptedServer({ script: [] })
    const { exitCode, stdout } = await redgreen(solveArgs(server, '--dry-run'))
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/Double a number\.[\s\S]*prompt tokens[\s\S]*Nothing was sent/)
    expect(server.requests).toEqual([])
  })

  it('writes a page without scripts that escapes what the model wrote', async () => {
    await using server = await createScriptedServer({ script: [fenced(`// <script>alert(1)</script>\n${goodDouble}`)] })
    const page = join(folder, 'page.html')
    await redgreen(solveArgs(server, '--report', page, '--quiet'))
    const html = readFileSync(page, 'utf8')
    expect(html).not.toContain('<script>')
    expect(html).toContain('&lt;script&gt;alert(1)')
  })
})

describe('redgreen repair', () => {
  it('does not ask a model for code that is green already', async () => {
    await using server = await createScriptedServer({ script: [] })
    write('double.test.ts', doubleTest)
    const { exitCode, stdout } = await redgreen([
      'repair',
      write('double.ts', goodDouble),
      '--base-url',
      server.baseURL,
      '--model',
      'm',
      '--json',
    ])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ origin: 'given', usage: { calls: 0 } })
    expect(server.requests).toEqual([])
  })

  it('mends a misspelt name with no model and writes it in place', async () => {
    write('double.test.ts', doubleTest)
    const file = write('double.ts', 'export const double = (count: number): number => conut + count\n')
    const { exitCode } = await redgreen(['repair', file, '--write', '--quiet'])
    expect(exitCode).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('count + count')
  })
})

describe('bad input', () => {
  it.each([
    ['a missing file', () => ['repair', join(folder, 'missing.ts')], 'FILE_UNREADABLE'],
    ['a folder as file', () => ['verify', folder], 'FILE_UNREADABLE'],
    ['no tests', () => ['verify', write('lonely.ts', goodDouble)], 'TESTS_REQUIRED'],
    [
      'no tests for solve',
      () => ['solve', 'x', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'm'],
      'TESTS_REQUIRED',
    ],
    ['an empty task', () => ['solve', ' '], 'INSTRUCTION_EMPTY'],
    ['an unknown flag', () => ['solve', 'x', '--bogus'], 'INVALID_OPTION'],
    ['an unknown command', () => ['slove', 'x'], 'INVALID_OPTION'],
    ['a number that is none', () => ['solve', 'x', '--max-attempts', 'many'], 'INVALID_OPTION'],
    ['--record with --replay', () => ['solve', 'x', '--record', 'a', '--replay', 'b'], 'INVALID_OPTION'],
    ['a task that is no JSON', () => ['solve', write('task.json', '{')], 'INVALID_TASK'],
    [
      'a task with an unknown member',
      () => ['solve', write('task.json', '{"instruction":"x","tset":{}}')],
      'INVALID_TASK',
    ],
    [
      'a policy that does not fit',
      () => [
        'solve',
        'x',
        '--policy',
        write('policy.json', '{"maxAttempts":"four"}'),
        '--tests',
        write('a.test.ts', doubleTest),
      ],
      'INVALID_CONFIG',
    ],
    ['a broken recording', () => ['solve', '--replay', write('recording.json', '{}')], 'RECORDING_INVALID'],
    [
      'a base URL that is none',
      () => ['solve', 'x', '--tests', write('a.test.ts', doubleTest), '--base-url', 'nonsense', '--model', 'm'],
      'MODEL_ENDPOINT_INVALID',
    ],
  ])('%s gets one coded line, and an object with --json', async (_, args, code) => {
    const plain = await redgreen(args())
    expect([plain.exitCode, plain.stdout]).toEqual([2, ''])
    expect(plain.stderr).toMatch(new RegExp(`^redgreen: ${code}: [^\\n]+\\n`))
    expect(plain.stderr).not.toMatch(/\n\s+at /)
    const json = await redgreen([...args(), ...(args().includes('--json') ? [] : ['--json'])])
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code } })
    expect(json.exitCode).toBe(2)
  })

  it('an endpoint that nobody listens at ends with what to do, and nothing is written', async () => {
    const out = join(folder, 'out.ts')
    const tests = write('solution.test.ts', doubleTest.replace('./double', './solution'))
    const { exitCode, stderr } = await redgreen([
      'solve',
      'x',
      '--tests',
      tests,
      '--base-url',
      'http://127.0.0.1:9/v1',
      '--model',
      'm',
      '--out',
      out,
    ])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('MODEL_ENDPOINT_INVALID')
    expect(existsSync(out)).toBe(false)
  })
})

describe('a reader that goes away', () => {
  it('does not keep a run from its end', async () => {
    write('double.test.ts', doubleTest)
    const file = write('double.ts', 'export const double = (n: number): number => n\n')
    const cli = new URL('../../src/cli/main.ts', import.meta.url)
    const child = spawn(process.execPath, [fileURLToPath(cli), 'repair', file, '--write'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {},
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdout.destroy()
    const [exitCode] = await once(child, 'close')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(readFileSync(file, 'utf8')).not.toContain('=> n\n')
  })
})
