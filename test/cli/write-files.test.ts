import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeInPlace, writeVerifiedFiles } from '../../src/cli/write-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redgreen-out-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('writeVerifiedFiles', () => {
  it('writes one file to the named file, and several into the named folder', () => {
    writeVerifiedFiles({ 'solution.ts': 'one' }, join(folder, 'answer.ts'))
    expect(readFileSync(join(folder, 'answer.ts'), 'utf8')).toBe('one')
    writeVerifiedFiles({ 'a.ts': 'a', 'lib/b.ts': 'b' }, join(folder, 'out'))
    expect(readFileSync(join(folder, 'out/lib/b.ts'), 'utf8')).toBe('b')
  })

  it.each(['../outside.ts', '/tmp/outside-of-redgreen.ts', 'a/../../outside.ts'])('refuses the path %s', (path) => {
    expect(() => writeVerifiedFiles({ [path]: 'x', 'other.ts': 'y' }, join(folder, 'out'))).toThrow(
      expect.objectContaining({ code: 'PATH_REFUSED' }),
    )
    expect(existsSync(join(folder, 'out/other.ts'))).toBe(false)
  })

  it('does not follow a symbolic link out of the folder', () => {
    mkdirSync(join(folder, 'out'))
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/lib'))
    expect(() => writeVerifiedFiles({ 'lib/b.ts': 'b', 'a.ts': 'a' }, join(folder, 'out'))).toThrow(
      expect.objectContaining({ code: 'PATH_REFUSED' }),
    )
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
  })

  it('leaves nothing half-written when a file cannot be written', () => {
    writeFileSync(join(folder, 'blocker'), '')
    expect(() => writeVerifiedFiles({ 'a.ts': 'a', 'blocker/b.ts': 'b' }, `${folder}/`)).toThrow(
      expect.objectContaining({ code: 'OUTPUT_UNWRITABLE' }),
    )
    expect(readdirSync(folder)).toEqual(['blocker'])
  })
})

describe('writeInPlace', () => {
  it('replaces the file behind a link and keeps the link', () => {
    writeFileSync(join(folder, 'real.ts'), 'old', { mode: 0o640 })
    symlinkSync(join(folder, 'real.ts'), join(folder, 'link.ts'))
    writeInPlace({ 'link.ts': 'new' }, folder)
    expect(readFileSync(join(folder, 'real.ts'), 'utf8')).toBe('new')
  })
})
