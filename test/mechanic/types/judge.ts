import assert from 'node:assert'
import vm from 'node:vm'
import { ts } from 'ts-morph'
import type { Verdict } from '../../../src/mechanic/types/messages.ts'
import { Repair, type RepairInput, type RepairResult } from '../../../src/mechanic/types/search.ts'

/**
 * Judges programs of our own corpus without the sandbox: they are trusted text of this repository.
 * A second is the most that one may take.
 */
export function judgeHere(program: string, tests: string): boolean {
  const { outputText } = ts.transpileModule(`${program}\n${tests}`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  })
  const silent = { log() {}, error() {}, warn() {}, info() {}, table() {} }
  const scope = { console: silent, require: () => assert, exports: {}, module: { exports: {} }, TextEncoder }
  try {
    vm.runInContext(`"use strict";(()=>{${outputText}\n})()`, vm.createContext(scope), { timeout: 1_000 })
    return true
  } catch {
    return false
  }
}

/** What a repair is given where a test says nothing else. */
export const inputOf = (program: string, more: Partial<RepairInput> = {}): RepairInput => ({
  files: { 'solution.ts': program },
  context: {},
  tests: {},
  entry: 'solution.ts',
  compilerOptions: {},
  packages: [],
  packageRoot: import.meta.dirname,
  allowAnyCasts: false,
  allowTsIgnore: false,
  maxStates: 500,
  maxTimeMs: 60_000,
  patience: 40,
  ...more,
})

/** Repairs in this thread with a judge of the test's own; the clock stands still, so that only states bound it. */
export async function repairHere(
  program: string,
  judge: (program: string) => boolean | Verdict = () => true,
  more: Partial<RepairInput> = {},
): Promise<RepairResult & { program: string }> {
  const result = await new Repair(inputOf(program, more), {
    async judge(files) {
      const verdict = judge(files['solution.ts'] ?? '')
      return typeof verdict === 'boolean' ? { isGreen: verdict, passed: 0 } : verdict
    },
    progress() {},
    nowMs: () => 0,
  }).run()
  return { ...result, program: result.files?.['solution.ts'] ?? program }
}
