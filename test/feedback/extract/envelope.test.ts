import { describe } from 'vitest'
import { C, F, n, reads } from './reads.ts'

describe('extract reads thoughts, tool calls and refusals', () => {
  reads('orphan close', `Maybe ${F}ts\nexport const n = 1;\n${F}\n</think>\n\n${F}ts\n${C}\n${F}`, n, C)
  reads('thinking tag', `<thinking>\n${F}ts\nexport const n = 1;\n${F}\n</thinking>\n${C}`, n, C)
  reads(
    'harmony',
    `<|channel|>analysis<|message|>Try ${F}ts\nexport const n = 1;\n${F}<|end|><|start|>assistant<|channel|>final<|message|>${F}ts\n${C}\n${F}<|return|>`,
    n,
    C,
  )
  reads('think string in code', `${F}ts\nexport const n = '<think>';\n${F}`, n, "export const n = '<think>';")
  reads(
    'close think in code',
    `${F}ts\nexport const n = s.split('</think>')[0];\n${F}`,
    n,
    "export const n = s.split('</think>')[0];",
  )
  reads(
    'close think in code 2',
    `${F}ts\nexport const n = s.replace(/<\\/think>/, '');\nconst t = \`a</think>\`;\n${F}`,
    n,
    "export const n = s.replace(/<\\/think>/, '');\nconst t = `a</think>`;",
  )
  reads('im_end', `${F}ts\n${C}\n${F}<|im_end|>`, n, C)
  reads('im_end bare', `${C}<|im_end|>\n<|im_start|>user\nthanks`, n, C)
  reads('empty think', `<think>\n\n</think>\n\n${F}ts\n${C}\n${F}`, n, C)
  reads('unclosed think answer code only', `<think>ok\n\n${C}`, n, C)
  reads('reasoning only stop', { content: '', reasoning: `${F}ts\n${C}\n${F}` }, n, C)
  reads('refusal + no code', `I'm sorry, but I can't help with that.`, n, { outcome: 'refused' })
  reads('refusal zh', `抱歉，我无法提供此类代码。`, n, { outcome: 'refused' })
  reads('sorry then code', `I'm sorry, I cannot test it, but here:\n${F}ts\n${C}\n${F}`, n, C)
  reads('prose only', `You should use a loop to sum the numbers.`, n, { outcome: 'no_code' })
  reads(
    'tool call',
    { content: null, toolCalls: [{ name: 'submit', arguments: JSON.stringify({ code: C }) }] },
    n,
    C,
    'tool_calls',
  )
  reads(
    'tool call files',
    { content: null, toolCalls: [{ name: 'w', arguments: JSON.stringify({ path: 'solution.ts', content: C }) }] },
    n,
    C,
    'tool_calls',
  )
  reads(
    'tool call cut',
    { content: null, toolCalls: [{ name: 'w', arguments: '{"code": "export const n' }] },
    n,
    { outcome: 'truncated' },
    'length',
  )
  reads(
    'xml call',
    `<function_calls>\n<invoke name="submit">\n<parameter name="code">${C}</parameter>\n</invoke>\n</function_calls>`,
    n,
    C,
  )
  reads(
    'qwen call',
    `<tool_call>\n<function=submit>\n<parameter=code>\n${C}\n</parameter>\n</function>\n</tool_call>`,
    n,
    C,
  )
  reads('mistral call', `[TOOL_CALLS] [{"name": "submit", "arguments": {"code": "${C}"}}]`, n, C)
  reads('blank', `   \n`, n, { outcome: 'empty' })
  reads('parts refusal', { content: [{ type: 'refusal', refusal: 'No.' }] }, n, { outcome: 'refused', message: 'No.' })
})
