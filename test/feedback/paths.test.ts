import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeCandidatePath } from '../../src/feedback/paths.ts'

describe('a candidate path', () => {
  it.each([
    ['a.ts', 'a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['src//b/./a.ts', 'src/b/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    [' a.ts ', 'a.ts'],
    ['src/größe.ts', 'src/größe.ts'],
    ['src/console.ts', 'src/console.ts'],
    ['[id].ts', '[id].ts'],
  ])('%s becomes %s', (path, normal) => expect(normalizeCandidatePath(path)).toEqual({ ok: true, path: normal }))

  it.each([
    '',
    ' ',
    '.',
    './',
    'src/',
    '/etc/passwd',
    '\\\\server\\share\\a.ts',
    '\\a.ts',
    'C:\\a.ts',
    'c:a.ts',
    '../a.ts',
    'src/../../a.ts',
    'src/..\\..\\a.ts',
    'a/../b.ts',
    '~/a.ts',
    '~root/a.ts',
    'file:///etc/passwd',
    'https://x/a.ts',
    'node:fs',
    'CON',
    'con.ts',
    'src/NUL',
    'aux.ts/x.ts',
    'COM1.ts',
    'lpt9',
    'a.ts.',
    'a /b.ts',
    'a. /b.ts',
    'a:stream.ts',
    'a?.ts',
    'a*.ts',
    'a|b.ts',
    'a\u0000.ts',
    'a\n.ts',
    'a\u202e.ts',
    'a\u200b.ts',
    '\ud800.ts',
    '．．/a.ts',
    '..／a.ts',
    '%2e%2e/a.ts',
    '..%2fa.ts',
    '…/…/a.ts',
    'PROGRA~1/a.ts',
    '.git/config',
    'src/.git/hooks/pre-commit',
    'node_modules/x/index.js',
    'Node_Modules/x.js',
    'package.json',
    'src/package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    '.env',
    '.env.local',
    '.npmrc',
    'vitest.config.ts',
    '.github/workflows/a.yml',
    'conftest.py',
    '$HOME/a.ts',
    'x'.repeat(300),
  ])('%j is refused', (path) => {
    const result = normalizeCandidatePath(path)
    expect(result.ok).toBe(false)
    if (!result.ok) expect(result.why).not.toBe('')
  })

  it('is not that of a test, in any spelling', () => {
    const rules = { reserved: ['src/A.test.ts'] }
    for (const path of ['src/A.test.ts', './src/A.test.ts', 'src\\a.TEST.ts', 'src//a.test.ts'])
      expect(normalizeCandidatePath(path, rules).ok).toBe(false)
    expect(normalizeCandidatePath('src/a.ts', rules).ok).toBe(true)
  })

  it('is one of those allowed, when they are given', () => {
    expect(normalizeCandidatePath('a.ts', { allowed: ['a.ts'] })).toEqual({ ok: true, path: 'a.ts' })
    expect(normalizeCandidatePath('b.ts', { allowed: ['a.ts'] }).ok).toBe(false)
  })

  it('that is accepted stays inside its folder and is accepted again as it is', () => {
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      'src',
      'C:',
      '~',
      'con',
      '．．',
      '／',
      '\\',
      'a.ts',
      ' ',
      '\u0000',
      '.git',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(segment, { maxLength: 6 }).map((parts) => parts.join('/')),
          fc.string({ unit: 'binary' }),
        ),
        (path) => {
          const result = normalizeCandidatePath(path)
          if (!result.ok) return
          expect(result.path.split('/')).not.toContain('..')
          expect(result.path).not.toMatch(/^[\\/]|^[A-Za-z]:|\\/)
          expect(normalizeCandidatePath(result.path)).toEqual(result)
        },
      ),
      { numRuns: 2_000, seed: 7 },
    )
  })
})
