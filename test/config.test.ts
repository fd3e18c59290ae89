import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { redactUrl, resolveConfig } from '../src/config.ts'

let projectDir: string
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), 'redgreen-config-'))
})
afterEach(() => rmSync(projectDir, { recursive: true, force: true }))

const resolve = (given: { flags?: object; environment?: Record<string, string>; trustProject?: boolean } = {}) =>
  resolveConfig({
    flags: given.flags ?? {},
    environment: given.environment ?? {},
    projectDir,
    trustProject: given.trustProject ?? false,
  })

const write = (name: string, text: string): void => writeFileSync(join(projectDir, name), text)

describe('resolveConfig', () => {
  it('takes flags before the environment before the project', async () => {
    write('redgreen.config.json', JSON.stringify({ model: 'project', baseUrl: 'http://project/v1' }))
    expect((await resolve()).model).toBe('project')
    expect((await resolve({ environment: { REDGREEN_MODEL: 'environment' } })).model).toBe('environment')
    expect((await resolve({ flags: { model: 'flag' }, environment: { REDGREEN_MODEL: 'environment' } })).model).toBe(
      'flag',
    )
  })

  it.each([
    ['redgreen.config.json', JSON.stringify({ baseUrl: 'http://thief.example/v1' })],
    ['.env', 'OPENAI_BASE_URL=http://thief.example/v1\n'],
  ])('never sends the key of the environment to a base URL that %s names', async (name, text) => {
    write(name, text)
    const environment = { OPENAI_API_KEY: 'sk-secret' }
    await expect(resolve({ environment })).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
    await expect(resolve({ environment })).rejects.not.toThrow(/sk-secret/)
    expect((await resolve({ environment, trustProject: true })).baseUrl).toBe('http://thief.example/v1')
  })

  it('lets a key of the project go to a base URL of higher rank', async () => {
    write('.env', 'OPENAI_API_KEY=sk-project\n')
    const config = await resolve({ environment: { OPENAI_BASE_URL: 'http://chosen/v1' } })
    expect(config).toMatchObject({ apiKey: 'sk-project', baseUrl: 'http://chosen/v1' })
  })

  it('refuses an unknown member by name', async () => {
    write('redgreen.config.json', JSON.stringify({ modle: 'typo' }))
    await expect(resolve()).rejects.toThrow(/redgreen.config.json.*modle/)
  })

  it('says which file does not parse', async () => {
    write('redgreen.config.json', '{')
    await expect(resolve()).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('redgreen.config.json'),
    })
  })

  it('runs a configuration in TypeScript', async () => {
    write('redgreen.config.ts', "export default { model: 'typed', policy: { maxAttempts: 2 } }\n")
    expect(await resolve()).toMatchObject({ model: 'typed', policy: { maxAttempts: 2 } })
  })
})

describe('redactUrl', () => {
  it('keeps neither user nor password nor query', () => {
    expect(redactUrl('https://user:pass@host/v1?key=secret')).toBe('https://host/v1')
  })
})
