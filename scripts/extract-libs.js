// Writes the compiler's own lib files beside the type worker, one file each. In ts-morph they are string literals of one module, which takes a
// tenth of a second to load; a program needs few of them. Their folder is named by the compiler's version, so that another is never mistaken for it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const near = createRequire(import.meta.url)
const { ts, getLibFiles } = createRequire(near.resolve('ts-morph'))('@ts-morph/common')
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/src/validate/worker', `libs-${ts.version}`)
mkdirSync(folder, { recursive: true })
for (const { fileName, text } of getLibFiles()) if (text !== '') writeFileSync(join(folder, fileName), text)
writeFileSync(
  join(folder, 'README.txt'),
  'Declarations of TypeScript, copyright Microsoft Corporation, under the Apache License 2.0, as ts-morph brings them.\n',
)
