import { expect, test } from 'vitest'
import { RedgreenError } from '../../src/errors.ts'
import { createEndpointMemory } from '../../src/model/memory.ts'
import { openaiModel } from '../../src/model/openai.ts'
import type { ModelRequest } from '../../src/model/types.ts'
import type { HttpStep, RecordedBody } from '../../src/testing/index.ts'
import { ask, createManualClock, createRig } from './setup.ts'

const refuse = (error: object, status = 400): HttpStep => ({ status, body: { error } })
const detail = (loc: string, msg = 'extra fields not permitted'): HttpStep => ({
  status: 422,
  body: { detail: [{ loc: ['body', loc], msg, type: 'extra_forbidden' }] },
})
const full = ask({ temperature: 0.7, maxOutputTokens: 20_000 })
const asJson = ask({ json: { name: 'answer', schema: { type: 'object' } } })

const roles = (body: RecordedBody) => body.messages?.map((message) => message.role)

/** What was refused, and what the request after it must look like. */
const adaptations: readonly [string, HttpStep, ModelRequest, (body: RecordedBody) => unknown, unknown][] = [
  [
    'max_tokens by param, whatever the sentence names',
    refuse({ message: 'temperature is bad', param: 'max_tokens', code: 'unsupported_parameter' }),
    full,
    (b) => [b.max_tokens, b.max_completion_tokens, b.temperature],
    [undefined, 20_000, 0.7],
  ],
  [
    'temperature by param, whatever the sentence names',
    refuse({ message: 'max_tokens is bad', param: 'temperature', code: 'unsupported_value' }),
    full,
    (b) => [b.temperature, b.max_tokens],
    [undefined, 20_000],
  ],
  [
    'max_tokens in a sentence alone',
    refuse({ message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." }),
    full,
    (b) => b.max_completion_tokens,
    20_000,
  ],
  ['max_tokens by the path of a validator', detail('max_tokens'), full, (b) => b.max_completion_tokens, 20_000],
  [
    'temperature in a plain string body',
    { status: 400, body: { detail: 'temperature is not supported' } },
    full,
    (b) => b.temperature,
    undefined,
  ],
  [
    'a cap that is too large',
    refuse({
      message:
        'max_tokens is too large: 20000. This model supports at most 16384 completion tokens, whereas you provided 20000.',
      param: 'max_tokens',
      code: 'invalid_value',
    }),
    full,
    (b) => b.max_tokens,
    16_384,
  ],
  [
    'a cap out of range',
    refuse({
      message: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
      code: 'invalid_request_error',
    }),
    full,
    (b) => b.max_tokens,
    8_192,
  ],
  [
    'a cap that does not fit beside the prompt',
    refuse({
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 20100 tokens (100 in the messages, 20000 in the completion).",
      code: 400,
    }),
    full,
    (b) => b.max_tokens,
    4_096 - 100 - 32,
  ],
  [
    'the system role by param',
    refuse({ message: 'unsupported value', param: 'messages[0].role', code: 'unsupported_value' }),
    full,
    roles,
    ['user'],
  ],
  ['the system role in a sentence', refuse({ message: 'System role not supported' }), full, roles, ['user']],
  [
    'the system role by a template that throws',
    refuse({ message: 'Jinja Exception: System role not supported' }, 500),
    full,
    roles,
    ['user'],
  ],
  [
    'the developer instruction of a model without one',
    refuse({
      message: 'Developer instruction is not enabled for models/gemma-3',
      status: 'INVALID_ARGUMENT',
      code: 400,
    }),
    full,
    roles,
    ['user'],
  ],
  [
    'streaming',
    refuse({ message: 'must be verified to stream', param: 'stream', code: 'unsupported_value' }),
    full,
    (b) => [b.stream, b.stream_options],
    [undefined, undefined],
  ],
  [
    'stream_options',
    refuse({ message: 'Unrecognized request argument supplied: stream_options', type: 'invalid_request_error' }),
    full,
    (b) => [b.stream, b.stream_options],
    [true, undefined],
  ],
  [
    'stream_options by the path of a validator',
    detail('stream_options'),
    full,
    (b) => [b.stream, b.stream_options],
    [true, undefined],
  ],
  ['n', refuse({ message: 'only n = 1 is supported' }), { ...full, choices: 2 }, (b) => b.n, undefined],
  [
    'n by param',
    refuse({ message: 'no', param: 'n', code: 'unsupported_value' }),
    { ...full, choices: 2 },
    (b) => b.n,
    undefined,
  ],
  [
    'a JSON schema',
    refuse({ message: 'bad schema', param: 'response_format', code: null }),
    asJson,
    (b) => b.response_format,
    { type: 'json_object' },
  ],
  [
    'a JSON schema by a member of it',
    refuse({ message: 'bad', param: 'response_format.json_schema', code: 'invalid_value' }),
    asJson,
    (b) => b.response_format,
    { type: 'json_object' },
  ],
  [
    'an upstream quoted by a router',
    refuse({
      message: 'Provider returned error',
      code: 400,
      metadata: { raw: JSON.stringify({ error: { message: 'no', param: 'temperature', code: 'unsupported_value' } }) },
    }),
    full,
    (b) => b.temperature,
    undefined,
  ],
]

test.each(adaptations)(
  'a refusal of %s is answered with another form of the request',
  async (_, step, request, view, expected) => {
    await using rig = await createRig([step, 'ok', 'ok', 'ok'])
    const completion = await rig.model.complete(request)
    expect(completion.replies[0]?.content).toBe('ok')
    expect(view(rig.server.requests[1]?.body ?? {})).toEqual(expected)
    const sentBefore = rig.server.requests.length
    await rig.model.complete({ ...request, choices: 1 })
    expect(rig.server.requests).toHaveLength(sentBefore + 1)
    expect(view(rig.server.requests.at(-1)?.body ?? {})).toEqual(expected)
    expect(rig.clock.sleeps).toEqual([])
  },
)

test('where the developer role is named as taken it is used, and folded when that is refused too', async () => {
  await using rig = await createRig([
    refuse({
      message: "'system' is not one of ['developer', 'user', 'assistant']",
      param: 'messages.0.role',
      code: 'invalid_value',
    }),
    refuse({ message: 'Invalid value', param: 'messages[0].role', code: 'invalid_value' }),
    'ok',
  ])
  await rig.model.complete(ask())
  expect(rig.server.requests.map((request) => roles(request.body))).toEqual([
    ['system', 'user'],
    ['developer', 'user'],
    ['user'],
  ])
})

test('a refusal without a word drops the response format first', async () => {
  await using rig = await createRig([{ status: 400, body: { error: { message: 'Bad Request' } } }, 'ok'])
  await rig.model.complete(asJson)
  expect(rig.server.requests[1]?.body.response_format).toEqual({ type: 'json_object' })
})

test('a system prompt that is folded stands first in the user message', async () => {
  await using rig = await createRig([
    refuse({ param: 'messages.[0].role', message: 'x', code: 'unsupported_value' }),
    'ok',
  ])
  await rig.model.complete(ask())
  expect(rig.server.requests[1]?.body.messages).toEqual([{ role: 'user', content: 'You write code.\n\nWrite n.' }])
})

test('roles that must alternate are merged', async () => {
  await using rig = await createRig([
    refuse({ message: 'Conversation roles must alternate user/assistant/user/assistant/...' }),
    'ok',
  ])
  await rig.model.complete(
    ask({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    }),
  )
  expect(rig.server.requests[1]?.body.messages).toEqual([{ role: 'user', content: 'a\n\nb' }])
})

test('both spellings of the cap refused leave it out, and a refusal without end is an error', async () => {
  const no = refuse({ message: 'no', param: 'max_tokens', code: 'unknown_parameter' })
  const noNew = refuse({ message: 'no', param: 'max_completion_tokens', code: 'unknown_parameter' })
  await using rig = await createRig([no, noNew, 'ok'])
  await rig.model.complete(ask({ maxOutputTokens: 300 }))
  expect(Object.keys(rig.server.requests[2]?.body ?? {}).filter((name) => name.startsWith('max'))).toEqual([])
  await using endless = await createRig(() =>
    refuse({ message: 'no', param: 'temperature', code: 'unsupported_value' }),
  )
  await expect(endless.model.complete(ask({ temperature: 1 }))).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
  expect(endless.server.requests).toHaveLength(2)
})

test('a memory that is shared spares a second model of the endpoint the same refusal', async () => {
  const memory = createEndpointMemory()
  await using rig = await createRig(
    [refuse({ message: 'no', param: 'temperature', code: 'unsupported_value' }), 'ok', 'ok', 'ok'],
    { memory },
  )
  await rig.model.complete(ask({ temperature: 1 }))
  const options = { baseURL: rig.server.baseURL, apiKey: 'k', memory, clock: createManualClock() }
  await openaiModel({ ...options, model: 'm' }).complete(ask({ temperature: 1 }))
  await openaiModel({ ...options, model: 'other' }).complete(ask({ temperature: 1 }))
  expect(rig.server.requests.map((one) => one.body.temperature)).toEqual([1, undefined, undefined, 1])
})

test('calls side by side that are refused the same thing step down once', async () => {
  let refused = 0
  await using rig = await createRig((request) => {
    if (request.body.max_tokens === undefined) return 'ok'
    refused++
    return refuse({ message: 'no', param: 'max_tokens', code: 'unsupported_parameter' })
  })
  await Promise.all(Array.from({ length: 5 }, () => rig.model.complete(ask({ maxOutputTokens: 300 }))))
  expect(refused).toBe(5)
  expect(rig.server.requests.filter((one) => one.body.max_completion_tokens === 300)).toHaveLength(5)
})

const fatal: readonly [string, HttpStep, string, RegExp][] = [
  [
    'an unknown model',
    refuse({ message: 'The model `m` does not exist', code: 'model_not_found', type: 'invalid_request_error' }, 404),
    'MODEL_UNKNOWN',
    /check its name/i,
  ],
  [
    'an unknown model with status 400',
    refuse({ message: 'nope', code: 'model_not_found' }),
    'MODEL_UNKNOWN',
    /does not know/,
  ],
  [
    'an unknown model by param',
    refuse({ message: 'invalid', param: 'model', code: null }),
    'MODEL_UNKNOWN',
    /does not know/,
  ],
  [
    'an unknown model of a local server',
    refuse({ message: 'model "m" not found, try pulling it first', type: 'api_error', code: null }, 404),
    'MODEL_UNKNOWN',
    /pull/,
  ],
  [
    'an unknown model as a plain string',
    { status: 404, body: { error: "model 'm' not found" } },
    'MODEL_UNKNOWN',
    /does not know/,
  ],
  [
    'an unknown model with a numeric code',
    {
      status: 404,
      body: {
        object: 'error',
        message: 'The model `m` does not exist.',
        type: 'NotFoundError',
        param: null,
        code: 404,
      },
    },
    'MODEL_UNKNOWN',
    /does not know/,
  ],
  [
    'an unknown model of a router',
    refuse({ message: 'm is not a valid model ID', code: 400 }),
    'MODEL_UNKNOWN',
    /does not know/,
  ],
  [
    'an unknown model in an array',
    {
      status: 404,
      body: [{ error: { code: 404, message: 'models/m is not found for API version v1main', status: 'NOT_FOUND' } }],
    },
    'MODEL_UNKNOWN',
    /does not know/,
  ],
  ['no such path', { status: 404, body: '404 page not found' }, 'MODEL_ENDPOINT_INVALID', /base URL/],
  ['no such path of a framework', { status: 404, body: { detail: 'Not Found' } }, 'MODEL_ENDPOINT_INVALID', /base URL/],
  [
    'no such path of a local server',
    refuse({ code: 404, message: 'File Not Found', type: 'not_found_error' }, 404),
    'MODEL_ENDPOINT_INVALID',
    /base URL/,
  ],
  [
    'no such path as a page',
    {
      status: 404,
      headers: { 'content-type': 'text/html' },
      body: '<!DOCTYPE html><html><body>Cannot POST the model</body></html>',
    },
    'MODEL_ENDPOINT_INVALID',
    /base URL/,
  ],
  ['a path that takes no POST', { status: 405, body: '' }, 'MODEL_ENDPOINT_INVALID', /base URL/],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://login.example.test/' } },
    'MODEL_ENDPOINT_INVALID',
    /sends elsewhere/,
  ],
  [
    'JSON of some other service',
    { status: 200, body: { hello: 'world' } },
    'MODEL_ENDPOINT_INVALID',
    /JSON without choices/,
  ],
  ['text of some other service', { status: 200, body: 'hello there' }, 'MODEL_ENDPOINT_INVALID', /no chat completion/],
  [
    'a sign-in page',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in' },
    'MODEL_ENDPOINT_INVALID',
    /web page/,
  ],
  ['a forbidden model', refuse({ message: 'no access' }, 403), 'MODEL_KEY_REFUSED', /rights/],
  [
    'a firewall page',
    { status: 403, body: '<html><title>Blocked</title></html>' },
    'MODEL_ENDPOINT_INVALID',
    /web page/,
  ],
  [
    'a wrong key with status 400',
    {
      status: 400,
      body: [
        {
          error: {
            code: 400,
            message: 'API key not valid. Please pass a valid API key.',
            status: 'INVALID_ARGUMENT',
            details: [{ reason: 'API_KEY_INVALID' }],
          },
        },
      ],
    },
    'MODEL_KEY_REFUSED',
    /OPENAI_API_KEY/,
  ],
  [
    'a key that is wrong by the sentence alone',
    { status: 400, body: { error: 'Incorrect API key provided: sk-test-secret-0123456789' } },
    'MODEL_KEY_REFUSED',
    /OPENAI_API_KEY/,
  ],
  [
    'a spent quota',
    refuse({ message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' }, 429),
    'MODEL_UNAVAILABLE',
    /credit/,
  ],
  ['missing credit', refuse({ message: 'Insufficient credits', code: 402 }, 402), 'MODEL_UNAVAILABLE', /credit/],
  [
    'a request that nothing mends',
    refuse({ message: 'messages: too few', param: 'messages' }),
    'MODEL_UNAVAILABLE',
    /too few/,
  ],
  [
    'an unknown member that is not ours',
    refuse({ message: 'temperature and more', param: 'reasoning_effort', code: 'unsupported_value' }),
    'MODEL_UNAVAILABLE',
    /refused/,
  ],
]

test.each(fatal)('%s is a coded error after one call, that says what to do', async (_, step, code, advice) => {
  await using rig = await createRig([step])
  const error = await rig.model.complete(full).catch((reason: unknown) => reason)
  if (!RedgreenError.isInstance(error)) throw error
  expect(error.code).toBe(code)
  expect(error.message).toMatch(advice)
  expect(`${error.stack}${JSON.stringify(error)}${String(error.cause)}`).not.toMatch(/sk-test|<html|<!doctype/i)
  expect(rig.server.requests).toHaveLength(1)
})

test.each([
  [
    'by code',
    refuse({ message: 'filtered', code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } }),
  ],
  [
    'by moderation',
    refuse({ message: 'Your input was flagged', code: 403, metadata: { reasons: ['x'], flagged_input: 'y' } }, 403),
  ],
])('a prompt that a filter stops (%s) is an answer, not an error', async (_, step) => {
  await using rig = await createRig([step])
  expect((await rig.model.complete(ask())).replies).toEqual([{ content: '', finish: 'content_filter' }])
})

const overflows: readonly [string, HttpStep][] = [
  ['by code', refuse({ message: 'too long', code: 'context_length_exceeded', param: 'messages' })],
  [
    'of llama.cpp',
    refuse({
      code: 400,
      message: 'the request exceeds the available context size, try increasing it',
      type: 'exceed_context_size_error',
    }),
  ],
  [
    'of vLLM',
    {
      status: 400,
      body: {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, your request has 9000 input tokens. Please reduce the length of the input messages.",
        type: 'BadRequestError',
        code: 400,
      },
    },
  ],
  [
    'of Anthropic',
    refuse({ type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }),
  ],
  [
    'of TGI',
    {
      status: 422,
      body: {
        error:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens',
        error_type: 'validation',
      },
    },
  ],
  [
    'of Moonshot',
    refuse({
      message: 'Invalid request: Your request exceeded model token limit: 8192',
      type: 'invalid_request_error',
    }),
  ],
  ['of Qwen', refuse({ message: 'Range of input length should be [1, 30720]', code: 'invalid_parameter_error' })],
  [
    'of xAI',
    {
      status: 400,
      body: {
        code: 'Client specified an invalid argument',
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
    },
  ],
  [
    'of a router',
    refuse({
      code: 400,
      message:
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens (149000 of text input, 1000 in the output).",
    }),
  ],
  ['by size', { status: 413, body: 'Payload Too Large' }],
  [
    'of Gemini',
    {
      status: 400,
      body: [
        {
          error: {
            code: 400,
            message: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    },
  ],
  [
    'of Mistral',
    {
      status: 400,
      body: {
        object: 'error',
        message: 'Prompt contains 40000 tokens and is too large for model with 32768 maximum context length',
        type: 'invalid_request_prompt',
        code: '3051',
      },
    },
  ],
  [
    'inside a stream',
    { status: 200, body: 'data: {"error":{"message":"too long","code":"context_length_exceeded"}}\n\n' },
  ],
]

test.each(overflows)('a context overflow %s is compacted and asked again, once', async (_, step) => {
  await using rig = await createRig([step, 'ok', step, step])
  const request = ask({ compact: () => [{ role: 'user', content: 'n.' }] })
  expect((await rig.model.complete(request)).replies[0]?.content).toBe('ok')
  expect(rig.server.requests[1]?.body.messages).toEqual([{ role: 'user', content: 'n.' }])
  await expect(rig.model.complete(request)).rejects.toMatchObject({ code: 'MODEL_CONTEXT_OVERFLOW' })
  rig.server.assertDone()
})

test('a context overflow that nothing can compact is a coded error at once', async () => {
  await using rig = await createRig([refuse({ message: 'x', code: 'context_length_exceeded' })])
  await expect(rig.model.complete(ask())).rejects.toMatchObject({ code: 'MODEL_CONTEXT_OVERFLOW' })
})

test('compaction happens once, however much shorter it could become', async () => {
  await using rig = await createRig(() => refuse({ message: 'x', code: 'context_length_exceeded' }))
  let length = 10
  const compact = () => [{ role: 'user' as const, content: 'n'.repeat(length--) }]
  await expect(rig.model.complete(ask({ compact }))).rejects.toMatchObject({ code: 'MODEL_CONTEXT_OVERFLOW' })
  expect(rig.server.requests).toHaveLength(2)
})
