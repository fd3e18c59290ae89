// Lays ts-morph's compiler beside the type worker in the shape that starts fastest: its code minified and in ASCII (nine megabytes of it as they
// are published take as long to read and decode as all the rest of a start), and its lib files one by one (in ts-morph they are string literals of
// one module, and a program needs few of them).
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const near = createRequire(import.meta.url)
const nearTsMorph = createRequire(near.resolve('ts-morph'))
const { ts, getLibFiles } = nearTsMorph('@ts-morph/common')
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/src/validate/worker/compiler')
mkdirSync(folder, { recursive: true })

await build({
  entryPoints: [nearTsMorph.resolve('@ts-morph/common/dist/typescript.js')],
  outfile: join(folder, 'compiler.cjs'),
  minify: true,
  charset: 'ascii',
  platform: 'node',
  target: 'node22',
  legalComments: 'inline',
  logLevel: 'error',
})
for (const { fileName, text } of getLibFiles()) if (text !== '') writeFileSync(join(folder, fileName), text)
const common = dirname(nearTsMorph.resolve('@ts-morph/common/package.json'))
copyFileSync(join(common, 'LICENSE'), join(folder, 'LICENSE-ts-morph'))
writeFileSync(
  join(folder, 'README.txt'),
  `TypeScript ${ts.version} as ts-morph brings it (see LICENSE-ts-morph), minified. Copyright Microsoft Corporation, under the Apache License 2.0:
https://www.apache.org/licenses/LICENSE-2.0
`,
)
