import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ts } from 'ts-morph'
import { limitsSchema } from '../../src/domain/policy.ts'
import type { TestJob } from '../../src/sandbox/types.ts'
import { median, solution, tests } from './sample.ts'

/** The peers' own compiler; it has the same service. */
const peer = (): typeof ts => createRequire(new URL('../peers/', import.meta.url))('typescript') as typeof ts

const compilerOptions: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  skipLibCheck: true,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  types: [],
}

/** Milliseconds of a language service's recheck of the module after a change; nothing else is asked of it. */
export function bareRecheckMs(rounds: number): number {
  const compiler = peer()
  const { sys } = compiler
  let version = 0
  const lib = compiler.getDefaultLibFilePath(compilerOptions)
  const snapshots = new Map<string, ts.IScriptSnapshot>()
  const service = compiler.createLanguageService({
    getCompilationSettings: () => compilerOptions,
    getScriptFileNames: () => ['/solution.ts'],
    getScriptVersion: (path) => (path === '/solution.ts' ? String(version) : '0'),
    getScriptSnapshot: (path) => {
      if (path === '/solution.ts') return compiler.ScriptSnapshot.fromString(solution(version))
      const known = snapshots.get(path)
      if (known) return known
      const text = sys.readFile(path)
      if (text === undefined) return undefined
      const made = compiler.ScriptSnapshot.fromString(text)
      snapshots.set(path, made)
      return made
    },
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => lib,
    fileExists: (path) => path === '/solution.ts' || sys.fileExists(path),
    readFile: (path) => sys.readFile(path),
  })
  const check = (): number => {
    version++
    const startedAt = performance.now()
    const found = [
      ...service.getSyntacticDiagnostics('/solution.ts'),
      ...service.getSemanticDiagnostics('/solution.ts'),
    ]
    if (found.length > 0) throw new Error(`the sample has ${found.length} diagnostics`)
    return performance.now() - startedAt
  }
  for (let warm = 0; warm < 50; warm++) check()
  return median(Array.from({ length: rounds }, check))
}

/** Milliseconds of the same modules and tests in a bare isolate. */
export function bareIsolateMs(): number {
  const { outputText } = ts.transpileModule(solution(1), { compilerOptions })
  const job: TestJob = {
    kind: 'test',
    entry: 'solution.js',
    modules: [{ path: 'solution.js', code: outputText, format: 'esm' }],
    tests: [{ path: 'solution.test.js', code: tests, format: 'esm' }],
    packages: [],
    limits: limitsSchema.parse({}),
    environment: { seed: 1, epochMs: 0, timeZone: 'UTC', shuffleTests: false },
    allowEval: false,
  }
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    ['--no-node-snapshot', '--no-warnings', fileURLToPath(new URL('bare-isolate.ts', import.meta.url))],
    { input: JSON.stringify(job), encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the bare isolate failed: ${stderr.slice(-500)}`)
  return Number(stdout)
}
