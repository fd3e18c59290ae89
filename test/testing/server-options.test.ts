import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createScriptedServer, type ScriptedServerOptions } from '../../src/testing/index.ts'

/** As a caller without types gives them: what is tested is that the call is refused. */
const given = (options: unknown) => createScriptedServer(options as ScriptedServerOptions)

test.for<[string, unknown, string]>([
  ['nothing', undefined, 'got undefined'],
  ['a bare list of steps', ['a'], 'got a list'],
  ['a bare function', () => 'a', 'type function'],
  ['a script by role in place of the options', { generate: [] }, 'in place of the options?'],
  ['options without a script', {}, 'the script is undefined'],
  ['a script of another type', { script: 'a' }, 'the script is a value of type string'],
  ['a role without a list', { script: { generate: 'a' } }, 'for the role generate'],
  ['a step that is none', { script: ['a', 7] }, 'step 2 is the number 7'],
  ['a step of a role that is none', { script: { review: [null] } }, 'step 1 of the role review is null'],
  ['an option that is not there', { script: [], prot: 1 }, 'no option prot'],
  ['models that are no names', { script: [], models: 'one' }, 'models is'],
  ['a port of text', { script: [], port: '80' }, 'port is'],
  ['a port beyond the last', { script: [], port: 65_536 }, 'the number 65536'],
])('%s is refused with a code and what was expected', async ([, options, came]) => {
  await expect(given(options)).rejects.toMatchObject({
    name: 'RedgreenError',
    code: 'INVALID_OPTION',
    message: expect.stringMatching(/takes \{ script, models\?, port\? \}/),
  })
  await expect(given(options)).rejects.toThrow(came)
})

/** A port of the loopback interface that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = await createScriptedServer({ script: [] })
  await server.close()
  return Number(new URL(server.baseURL).port)
}

test('a port that is given is listened on', async () => {
  const port = await freePort()
  await using server = await createScriptedServer({ script: [], port })
  expect(server.baseURL).toBe(`http://127.0.0.1:${port}/v1`)
  expect((await fetch(`${server.baseURL}/models`)).status).toBe(200)
})

test('a port in use is refused with a code, the port and the cause', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    await expect(createScriptedServer({ script: [], port })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      detail: { port },
      cause: { code: 'EADDRINUSE' },
    })
  } finally {
    other.close()
  }
})
