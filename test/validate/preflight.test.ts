import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { preflight } from '../../src/validate/preflight.ts'
import { createTypeService, type TypeService } from '../../src/validate/type-service.ts'
import type { ValidationRequest } from '../../src/validate/types.ts'
import { requestOf } from './requests.ts'

let service: TypeService
beforeAll(() => {
  service = createTypeService({ workers: 1 })
})
afterAll(() => service.close())

const check = (given: Partial<ValidationRequest>) => preflight(requestOf(given), service)
const good =
  "import { it, expect } from 'vitest'\nimport { a } from './solution'\nit('works', () => expect(a).toBe(1))\n"

describe('tests', () => {
  test.each([
    ['vitest', good],
    ['jest with xit', "import { xit } from '@jest/globals'\nxit('works', () => {})\n"],
    ['globals', "describe('a', () => { test.each([1])('n %i', (n) => {}) })\n"],
    [
      'node:test',
      "import test from 'node:test'\nimport assert from 'node:assert/strict'\ntest('a', () => assert.ok(1))\n",
    ],
    ['a bare script that asserts', "import assert from 'node:assert'\nassert.equal(1, 1)\n"],
    ['console.assert', 'console.assert(add(1, 2) === 3)\n'],
    ['a script that throws', "if (add(1, 2) !== 3) throw new Error('wrong')\n"],
    [
      'a type of a package that is not declared',
      "import type { A } from 'anything'\nimport { B } from 'other'\nconst b: A | B | null = null\nit('a', () => { b })\n",
    ],
  ])('%s pass', async (_, text) => {
    await expect(check({ tests: { 'a.test.ts': text } })).resolves.toBeUndefined()
  })

  test.each([
    ['TESTS_SYNTAX', { 'a.test.ts': 'it("works", () => {\n' }, /a\.test\.ts:\d+:\d+/],
    ['TESTS_EMPTY', { 'a.test.ts': '// nothing yet\n' }, /a\.test\.ts holds no test/],
    ['TESTS_EMPTY', { 'a.test.ts': "describe('a', () => {})\n" }, /nothing could be proven/],
    ['TESTS_EMPTY', { 'a.test.ts': good, 'b.test.ts': 'export const b = 1\n' }, /b\.test\.ts/],
    ['TESTS_IMPORT', { 'a.test.ts': "import _ from 'lodash'\nit('a', () => { _ })\n" }, /--package lodash/],
    [
      'TESTS_IMPORT',
      { 'a.test.ts': "import { a } from '../../outside'\nit('a', () => { a })\n" },
      /outside of the task/,
    ],
    ['TESTS_IMPORT', { 'a.test.ts': "import { a } from '/etc/passwd'\nit('a', () => { a })\n" }, /absolute path/],
    ['TESTS_IMPORT', { 'a.test.ts': "const fs = require('fs')\nit('a', () => { fs })\n" }, /"fs", a Node module/],
  ])('%s for %o', async (code, tests, message) => {
    await expect(check({ tests: tests as unknown as Record<string, string> })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
    await expect(check({ hiddenTests: tests as unknown as Record<string, string> })).rejects.toMatchObject({ code })
  })

  test('helpers and data beside tests need no test of their own', async () => {
    const tests = {
      'a.test.ts': "import { make } from './make'\nimport data from './data.json'\nit('a', () => { make(data) })\n",
      'make.ts': 'export const make = (a: unknown) => a\n',
      'data.json': '[1]',
      'notes.txt': 'no ( code',
      '__snapshots__/a.test.ts.snap': 'exports[`a`] = `(`',
    }
    await expect(check({ tests })).resolves.toBeUndefined()
  })
})

describe('paths, sizes, packages', () => {
  test.each([
    '/etc/passwd',
    '../a.ts',
    'a/../../b.ts',
    'C:/a.ts',
    'C:a.ts',
    'a\\b.ts',
    'a//b.ts',
    './a.ts',
    'con.ts',
    'lib/NUL',
    'a\0.ts',
    'node_modules/x/index.ts',
    '.git/config',
    'a?.ts',
  ])('the path %j is refused wherever it stands', async (path) => {
    for (const where of ['files', 'context', 'tests', 'hiddenTests'] as const)
      await expect(check({ [where]: { [path]: 'it("a", () => {})' } })).rejects.toMatchObject({ code: 'PATH_REFUSED' })
    await expect(check({ entry: path })).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  })

  test.each(['a.ts', 'src/a b.ts', 'src/[id].ts', 'überschrift.ts', '.hidden.json', 'context.ts', 'console.ts'])(
    'the path %j is fine',
    async (path) => {
      await expect(check({ files: { [path]: 'export {}' } })).resolves.toBeUndefined()
    },
  )

  test('five megabytes in one source are refused, in data they are not', async () => {
    await expect(check({ files: { 'solution.ts': 'x'.repeat(5e6) } })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringContaining('solution.ts'),
    })
    await expect(check({ context: { 'data.json': `"${'x'.repeat(5e6)}"` } })).resolves.toBeUndefined()
  })

  test('all files together have a limit', async () => {
    const context = Object.fromEntries([1, 2, 3].map((n) => [`data${n}.json`, `"${'x'.repeat(4e6)}"`]))
    await expect(check({ context })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringContaining('limits.fileBytes'),
    })
  })

  test.each(['absent-package', '../evil', '/etc', '@scope'])('the package %s is unknown', async (name) => {
    await expect(check({ packages: [name] })).rejects.toMatchObject({ code: 'PACKAGE_UNKNOWN' })
  })
})
