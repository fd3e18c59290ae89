import { describe } from 'vitest'
import { C, F, fn, n, reads, ts } from './reads.ts'

describe('extract reads fences', () => {
  reads(
    'nested same length in template',
    `${F}ts\nexport const n = \`\n${F}\ncode\n${F}\n\`;\n${F}\ndone`,
    n,
    `export const n = \`\n${F}\ncode\n${F}\n\`;`,
  )
  reads(
    'jsdoc with fence same length',
    `${F}ts\n/**\n${F}ts\nx()\n${F}\n*/\n${C}\n${F}`,
    n,
    `/**\n${F}ts\nx()\n${F}\n*/\n${C}`,
  )
  reads(
    'jsdoc star fence',
    `${F}ts\n/**\n * ${F}ts\n * x()\n * ${F}\n */\n${C}\n${F}`,
    n,
    `/**\n * ${F}ts\n * x()\n * ${F}\n */\n${C}`,
  )
  reads('markdown wrapper', `${F}markdown\nHere:\n${F}ts\n${C}\n${F}\n${F}`, n, C)
  reads('markdown wrapper 4', `${F}\`markdown\nHere:\n${F}ts\n${C}\n${F}\n${F}\``, n, C)
  reads('unclosed stop', `${F}ts\n${C}`, n, C)
  reads('unclosed unknown', `${F}ts\n${C}\n`, n, C, 'unknown')
  reads('unclosed cut unknown', `${F}ts\n${fn.slice(0, -10)}`, ts(['sum']), { outcome: 'truncated' }, 'unknown')
  reads('unclosed cut stop', `${F}ts\n${fn.slice(0, -10)}`, ts(['sum']), { outcome: 'truncated' })
  reads(
    'unclosed w prose after',
    `${F}ts\n${fn}\n\nThis function adds two numbers together and returns the result.`,
    ts(['sum']),
    fn,
  )
  reads('closer glued', `${F}ts\n${C}${F}`, n, C)
  reads('closer glued + prose', `${F}ts\n${C}${F}\nThis works well.`, n, C)
  reads('opener after prose', `Here it is: ${F}ts\n${C}\n${F}`, n, C)
  reads('one line', `${F}${C}${F}`, n, C)
  reads('one line tag', `${F}ts ${C} ${F}`, n, C)
  reads('code in info', `${F}ts ${C}\n${F}`, n, C)
  reads('lang in body', `${F}\ntypescript\n${C}\n${F}`, n, C)
  reads(
    'details html',
    `<details>\n<summary>Code</summary>\n${F}ts\n${C}\n\nexport const m = 1;\n${F}\n</details>`,
    n,
    `${C}\n\nexport const m = 1;`,
  )
  reads('blockquote', `> ${F}ts\n> ${C}\n> ${F}`, n, C)
  reads('4 space list', `1. Do:\n\n    ${F}ts\n    ${C}\n    ${F}`, n, C)
  reads('indented 4', `Code:\n\n    ${F}ts\n    ${C}\n    ${F}\n`, n, C)
  reads('only closer', `${C}\n${F}`, n, C)
  reads('only closer + prose', `${C}\n${F}\n\nThis exports the number.`, n, C)
  reads('leading prose + closer only', `Here you go:\n\n${C}\n${F}`, n, C)
  reads(
    'indented code block no fence',
    `Here:\n\n    ${C}\n    export const m = 1;\n\nDone.`,
    n,
    `${C}\nexport const m = 1;`,
  )
  reads('empty fence then code', `${F}ts\n${F}\n\n${F}ts\n${C}\n${F}`, n, C)
  reads('tab fence', `\t${F}ts\n\t${C}\n\t${F}`, n, C)
  reads('crlf', `${F}ts\r\n${C}\r\n${F}\r\n`, n, C)
  reads('uppercase tag', `${F}TypeScript\n${C}\n${F}`, n, C)
  reads('pandoc', `${F} {.typescript .numberLines}\n${C}\n${F}`, n, C)
  reads('info path', `${F}src/a.ts\n${C}\n${F}`, { language: 'typescript', exports: ['n'], entry: 'solution.ts' }, C)
  reads('info filename', `${F}ts filename="src/a.ts"\n${C}\n${F}`, n, {
    outcome: 'files',
    files: { 'src/a.ts': C },
    named: 'src/a.ts',
  })
  reads('info title colon', `${F}ts title="a.ts"\n${C}\n${F}`, n, { outcome: 'files', files: { 'a.ts': C } })
  reads('tsx', `${F}tsx\nexport const n = <div>hi</div>;\n${F}`, n, 'export const n = <div>hi</div>;')
})
