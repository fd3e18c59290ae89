import { describe } from 'vitest'
import type { Wanted } from '../../../src/feedback/extract/types.ts'
import { F, py, reads, shape, ts } from '../extract/reads.ts'

const js = (exports: string[]): Wanted => ({ language: 'javascript', exports })
const sql: Wanted = { language: 'sql' }
const bash: Wanted = { language: 'bash' }
const neg = 'export const neg = (x: number): number => -x;'
const pos = 'export const neg = (x: number): number => x;'
const inc = 'def inc(n):\n    return n + 1'
const fence = (code: string, tag = 'ts') => `${F}${tag}\n${code}\n${F}`

describe('thoughts, in other surfaces', () => {
  reads(
    'a thought that quotes a draft of Python',
    `<thinking>\n${fence('def inc(n):\n    return n', 'python')}\n</thinking>\n${fence(inc, 'python')}`,
    py(['inc']),
    inc,
  )
  reads(
    'only the closer came',
    `First idea:\n${fence(pos)}\nNo, the sign is wrong.\n</think>\n\n${fence(neg)}`,
    ts(['neg']),
    neg,
  )
  reads(
    'two thoughts with an answer after each',
    `<think>a</think>Working on it.\n<think>\n${fence(pos)}\n</think>\n${fence(neg)}`,
    ts(['neg']),
    neg,
  )
  reads('an unclosed thought around a bare program', `<think>\nEasy.\n\n${inc}\n`, py(['inc']), {
    outcome: 'files',
    flags: ['salvaged_from_unclosed_think', 'unfenced'],
  })
  reads(
    'an unfinished thought of Python, cut',
    `<reasoning>Let me try\n${fence('def inc(n):\n    return n', 'python')}\nbut then`,
    py(['inc']),
    { outcome: 'truncated', where: 'reasoning' },
    'length',
  )
  reads('square brackets around the thought', `[THINK]maybe ${fence(pos)}[/THINK]\n${fence(neg)}`, ts(['neg']), neg)
  reads(
    'the channels of gpt-oss',
    `<|channel|>analysis<|message|>Try\n${fence(pos)}\n<|end|><|start|>assistant<|channel|>final<|message|>${fence(neg)}<|return|>`,
    ts(['neg']),
    neg,
  )
  reads(
    'a tag of thought inside a string of the program',
    fence("export const open = '<think>';\nexport const close = '</think>';"),
    ts(['open', 'close']),
    "export const open = '<think>';\nexport const close = '</think>';",
  )
  reads(
    'reasoning apart, in the provider’s own member',
    { content: fence(neg), reasoning: fence(pos) },
    ts(['neg']),
    neg,
  )
  reads(
    'an empty text, all of the answer under reasoning',
    { content: '', reasoning: `The function is:\n${fence(neg)}` },
    ts(['neg']),
    { outcome: 'files', flags: ['salvaged_from_reasoning'] },
  )
  reads(
    'nothing but reasoning, and cut',
    { content: null, reasoning: 'We need to consider the' },
    ts(['neg']),
    { outcome: 'truncated', where: 'reasoning' },
    'length',
  )
})

describe('envelopes, in other surfaces', () => {
  reads(
    'parts of Anthropic’s kind',
    {
      content: [
        { type: 'thinking', thinking: fence(pos), signature: 'x' },
        { type: 'text', text: 'Here:\n' },
        { type: 'text', text: fence(inc, 'python') },
      ],
    },
    py(['inc']),
    inc,
  )
  reads(
    'parts of the responses API',
    {
      content: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'output_text', text: fence(neg), annotations: [] },
      ],
    },
    ts(['neg']),
    neg,
  )
  reads('a refusal among the parts', { content: [{ type: 'refusal', refusal: 'I will not do this.' }] }, ts(['neg']), {
    outcome: 'refused',
    message: 'I will not do this.',
  })
  reads('a refusal in words', "I'm sorry, but I can't assist with that request.", ts(['neg']), { outcome: 'refused' })
  reads('a refusal in French', 'Je suis désolé, mais je ne peux pas vous aider avec cette demande.', ts(['neg']), {
    outcome: 'refused',
  })
  reads('a refusal in Chinese', '抱歉，我无法协助完成这个请求。', ts(['neg']), { outcome: 'refused' })
  reads(
    'an apology before a program is no refusal',
    `I'm sorry for the earlier mistake. I can't believe I missed it.\n\n${fence(neg)}`,
    ts(['neg']),
    neg,
  )
  reads(
    'what a filter stopped, though it reads as a program',
    { content: fence(neg) },
    ts(['neg']),
    { outcome: 'filtered' },
    'content_filter',
  )
  reads('blanks alone', ' \n\n\t', ts(['neg']), { outcome: 'empty' })
  reads(
    'prose alone',
    'The function should return the negated argument. Let me know if you would like me to write it.',
    ts(['neg']),
    { outcome: 'no_code' },
  )
  reads(
    'a tool call of another server in the text',
    `<function_call>\n{"name": "write_file", "arguments": {"path": "solution.py", "content": "def inc(n):\\n    return n + 1\\n"}}\n</function_call>`,
    py(['inc']),
    inc,
  )
  reads(
    'a call in Mistral’s notation',
    `[TOOL_CALLS][{"name": "submit", "arguments": {"code": "export const neg = (x: number): number => -x;"}}]`,
    ts(['neg']),
    neg,
  )
  reads(
    'a real tool call whose arguments hold a fence',
    { content: null, toolCalls: [{ name: 'submit', arguments: JSON.stringify({ code: fence(neg) }) }] },
    ts(['neg']),
    neg,
    'tool_calls',
  )
  reads(
    'a real tool call, cut',
    { content: null, toolCalls: [{ name: 'submit', arguments: '{"code": "export const neg = (x' }] },
    ts(['neg']),
    { outcome: 'truncated' },
    'length',
  )
  reads(
    'end tokens and the next speaker',
    `${fence(inc, 'python')}<|im_end|>\n<|im_start|>user\nNow in Go: ${fence('func inc() {}', 'go')}`,
    py(['inc']),
    inc,
  )
})

describe('characters, in other surfaces', () => {
  reads(
    'line breaks written out in a script',
    `${F}bash\nset -e\\nfor f in a b; do\\n  echo "$f"\\ndone\n${F}`,
    bash,
    'set -e\nfor f in a b; do\n  echo "$f"\ndone',
  )
  reads(
    'line breaks written out that belong to a string stay',
    fence("export const crlf = 'a\\r\\nb\\n';"),
    ts(['crlf']),
    "export const crlf = 'a\\r\\nb\\n';",
  )
  reads(
    'named and numbered entities in Python',
    fence('def ok(a, b):\n    return a &lt;= b and b &gt; 0 or a &#33;= &#39;x&#39;', 'python'),
    py(['ok']),
    "def ok(a, b):\n    return a <= b and b > 0 or a != 'x'",
  )
  reads(
    'entities of a query',
    fence('SELECT id FROM t WHERE a &lt; 3 AND b &gt;= 4;', 'sql'),
    sql,
    'SELECT id FROM t WHERE a < 3 AND b >= 4;',
  )
  reads(
    'entities that a program of Python replaces stay',
    fence("def esc(s):\n    return s.replace('<', '&lt;').replace('\"', '&quot;')", 'python'),
    py(['esc']),
    "def esc(s):\n    return s.replace('<', '&lt;').replace('\"', '&quot;')",
  )
  reads(
    'curly quotes as delimiters in Python',
    fence('def hi():\n    return “hello”', 'python'),
    py(['hi']),
    'def hi():\n    return "hello"',
  )
  reads(
    'curly quotes inside of straight ones stay',
    fence("def hi():\n    return '“hello”'", 'python'),
    py(['hi']),
    "def hi():\n    return '“hello”'",
  )
  reads(
    'full-width brackets and a full-width semicolon',
    fence('export function one（）： number ｛ return 1； ｝'),
    ts(['one']),
    'export function one(): number { return 1; }',
  )
  reads(
    'full-width marks inside a string stay',
    fence("export const s = '（）：｛｝；，';"),
    ts(['s']),
    "export const s = '（）：｛｝；，';",
  )
  reads(
    'no-break spaces as indentation of Python',
    fence('def inc(n):\n\u00a0\u00a0\u00a0\u00a0return n + 1', 'python'),
    py(['inc']),
    inc,
  )
  reads(
    'zero-width characters between tokens of a query',
    fence('SELECT\u200b id\u200b FROM\u2060 t;', 'sql'),
    sql,
    'SELECT id FROM t;',
  )
  reads('a dash for a minus', fence('export const neg = (x: number): number => –x;'), ts(['neg']), neg)
  reads('line numbers with colons', `${F}python\n1: def inc(n):\n2:     return n + 1\n${F}`, py(['inc']), inc)
  reads(
    'line numbers right-aligned with tabs',
    `${F}ts\n 9\tconst one = 1;\n10\texport const two = one + one;\n${F}`,
    ts(['two']),
    'const one = 1;\nexport const two = one + one;',
  )
  reads('numbers that do not go on are code', `${fence('1\n3\n', 'python')}\n${fence(inc, 'python')}`, py(['inc']), inc)
  reads('CRLF and a lone CR mixed', `${F}python\r\ndef inc(n):\r\n    return n + 1\r\n${F}`, py(['inc']), inc)
  reads('prompts of a Python session', `${F}python\n>>> def inc(n):\n...     return n + 1\n${F}`, py(['inc']), inc)
})

describe('JSON, in other surfaces', () => {
  const json = (title: string, reply: string, value: unknown) => reads(title, reply, shape, { outcome: 'json', value })
  json('quotes of Python', `{'code': 'x = 1', 'notes': None}`.replace('None', "'n'"), { code: 'x = 1', notes: 'n' })
  json(
    'an object between prose with braces',
    `The shape {code, notes} is used.\n{"code": "a", "notes": "b"}\nDone {ok}.`,
    { code: 'a', notes: 'b' },
  )
  json('tabs and breaks raw in a string', '{"code": "if (a) {\n\treturn 1;\n}\n"}', {
    code: 'if (a) {\n\treturn 1;\n}\n',
  })
  json('names without quotes, a comma too many', '{code: "x", notes: "y",}', { code: 'x', notes: 'y' })
  json('an object in an array of one', '[{"code": "x"}]', { code: 'x' })
  json('after a thought with an object of its own', '<think>{"code": "draft"}</think>\n{"code": "final"}', {
    code: 'final',
  })
  json('fenced as json5, with a comment of a hash', `${F}json5\n{\n  # answer\n  "code": "c"\n}\n${F}`, { code: 'c' })
  json('a string of JSON in JSON', JSON.stringify(JSON.stringify({ code: 'x', notes: 'y' })), { code: 'x', notes: 'y' })
  reads('a member of the wrong kind', '{"code": 3}', shape, { outcome: 'bad_json' })
  reads('a member that is missing', '{"notes": "n"}', shape, { outcome: 'bad_json' })
  reads('no JSON at all', 'I have written the code for you.', shape, { outcome: 'bad_json' })
  reads(
    'cut in the second member',
    '{"code": "x", "notes": "the',
    shape,
    { outcome: 'truncated', where: 'json' },
    'length',
  )
  reads('quotes inside a string not escaped, in a call', '{"code": "print("hi")", "notes": "n"}', shape, {
    outcome: 'bad_json',
    location: { line: 1, column: 18 },
  })
  reads(
    'a program in JSON when a program is wanted',
    JSON.stringify({ language: 'python', code: `${inc}\n` }),
    py(['inc']),
    inc,
  )
  reads(
    'files in JSON',
    JSON.stringify({
      files: [
        { path: 'a.py', content: 'A = 1' },
        { path: 'b.py', content: 'from a import A' },
      ],
    }),
    { language: 'python' },
    { outcome: 'files', files: { 'a.py': 'A = 1', 'b.py': 'from a import A' } },
  )
})

describe('the language, in other surfaces', () => {
  reads('Python tagged as text', fence(inc, 'text'), py(['inc']), inc)
  reads('a query tagged as plaintext', fence('SELECT 1 AS one;', 'plaintext'), sql, 'SELECT 1 AS one;')
  reads(
    'JavaScript tagged as java',
    fence('export const a = (x) => x ?? 1;', 'java'),
    js(['a']),
    'export const a = (x) => x ?? 1;',
  )
  reads('Python where TypeScript is wanted', fence(inc, 'python'), ts(['inc']), {
    outcome: 'language_mismatch',
    found: 'python',
  })
  reads('TypeScript where Python is wanted', fence(neg), py(['neg']), {
    outcome: 'language_mismatch',
    found: 'typescript',
  })
  reads(
    'Go where JavaScript is wanted',
    fence('package main\n\nfunc inc(n int) int {\n\treturn n + 1\n}', 'go'),
    js(['inc']),
    { outcome: 'language_mismatch', found: 'go' },
  )
  reads(
    'Rust without a tag where Python is wanted',
    fence('fn inc(n: i32) -> i32 {\n    let mut m = n;\n    m += 1;\n    m\n}', ''),
    py(['inc']),
    { outcome: 'language_mismatch', found: 'rust' },
  )
  reads(
    'both languages given: the wanted one',
    `${fence(inc, 'python')}\n\nIn TypeScript:\n${fence('export const inc = (n: number): number => n + 1;')}`,
    ts(['inc']),
    'export const inc = (n: number): number => n + 1;',
  )
  reads(
    'exports of CommonJS one by one',
    fence('exports.inc = (n) => n + 1;\nexports.dec = (n) => n - 1;', 'js'),
    { ...js(['inc', 'dec']), module: 'esm' },
    { outcome: 'files', covered: true, flags: ['commonjs_adapted'] },
  )
  reads(
    'a program without an export word',
    fence('function inc(n: number): number {\n  return n + 1;\n}'),
    { ...ts(['inc']), module: 'esm' },
    { outcome: 'files', covered: true, flags: ['export_added'] },
  )
  reads(
    'a query behind a label of a chain',
    'Thought: join them.\nAction: SQL\nQuery:\n```\nSELECT u.id FROM users u JOIN orders o ON o.user_id = u.id;\n```\nObservation: 4 rows',
    sql,
    'SELECT u.id FROM users u JOIN orders o ON o.user_id = u.id;',
  )
  reads(
    'a query without a fence behind a label',
    'SQLQuery: SELECT id FROM users WHERE age > 3',
    sql,
    'SELECT id FROM users WHERE age > 3',
  )
  reads(
    'one line of shell in prose',
    'Run this:\n\n```sh\n$ find . -name "*.tmp" -delete\n```',
    bash,
    'find . -name "*.tmp" -delete',
  )
})
