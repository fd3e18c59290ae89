import { describe } from 'vitest'
import { C, F, n, reads, shape } from './reads.ts'

describe('extract reads JSON', () => {
  reads('json plain', '{"code":"x"}', shape, { outcome: 'json', value: { code: 'x' } })
  reads('json single', "{'code': 'x', 'notes': None}", shape, { outcome: 'json', value: { code: 'x', notes: null } })
  reads('json double', JSON.stringify(JSON.stringify({ code: 'x' })), shape, { outcome: 'json', value: { code: 'x' } })
  reads('json envelope', '{"result": {"code":"x"}}', shape, { outcome: 'json', value: { code: 'x' } })
  reads('json trailing prose', '{"code":"x"} hope {this} helps', shape, { outcome: 'json', value: { code: 'x' } })
  reads('json example first', 'e.g. {"code":"..."} so\n{"code":"y"}', shape, { outcome: 'json', value: { code: 'y' } })
  reads('json missing', '{"notes":"x"}', shape, { outcome: 'bad_json' })
  reads('json cut', '{"code":"x", "notes": "a', shape, { outcome: 'truncated' })
  reads('json code with braces', 'Here: {"code":"function f() { return {a: 1}; }"}', shape, {
    outcome: 'json',
    value: { code: 'function f() { return {a: 1}; }' },
  })
  reads('json fence in string', '```json\n{"code": "```ts\\nx\\n```"}\n```', shape, {
    outcome: 'json',
    value: { code: '```ts\nx\n```' },
  })
  reads('json none', 'I think so.', shape, { outcome: 'bad_json' })
  reads('json regex escape', '{"code":"/\\d+/"}', shape, { outcome: 'json', value: { code: '/\\d+/' } })
  reads('json wrapped code', `{"code": ${JSON.stringify(C)}}`, n, C)
  reads('json wrapped fence', `${F}json\n{"explanation": "x", "code": ${JSON.stringify(C)}}\n${F}`, n, C)
  reads('json then think', `<think>{"code":"a"}</think>{"code":"b"}`, shape, { outcome: 'json', value: { code: 'b' } })
})
