// Packs the package as it would be published, lints its shape, installs it into an empty folder beside a strict TypeScript consumer,
// type-checks that consumer and runs it.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'redgreen-package-'))
const inFolder = (command, args) =>
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })

try {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  )
  const [{ filename, files }] = Array.isArray(packed) ? packed : Object.values(packed)
  const stray = files.filter(({ path }) => /^(src|test|machines|bench)\//.test(path))
  if (stray.length > 0) throw new Error(`the package holds sources: ${stray[0].path}`)

  inFolder('tar', ['-xzf', filename])
  const { messages } = await publint({ pkgDir: join(folder, 'package'), strict: true })
  const manifest = JSON.parse(execFileSync('cat', [join(folder, 'package/package.json')], { encoding: 'utf8' }))
  for (const message of messages) process.stderr.write(`publint: ${formatMessage(message, manifest)}\n`)
  if (messages.some(({ type }) => type === 'error')) throw new Error('publint found errors')

  // The dependencies are those of this checkout: what is tested is the package, not the registry.
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.') && name !== 'redgreen')
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  cpSync(join(folder, 'package'), join(folder, 'node_modules/redgreen'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        lib: ['ES2023', 'ESNext.Disposable'],
        module: 'NodeNext',
        moduleResolution: 'NodeNext',
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        skipLibCheck: false,
        outDir: 'out',
      },
      include: ['consumer.ts'],
    }),
  )
  cpSync(join(root, 'examples/library.ts'), join(folder, 'consumer.ts'))
  inFolder(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'])
  const output = inFolder(process.execPath, [join(folder, 'out/consumer.js')])
  if (!output.includes('passed')) throw new Error(`the consumer printed: ${output}`)
  const version = inFolder(process.execPath, [join(folder, 'node_modules/redgreen/dist/bin/redgreen.js'), '--version'])
  process.stdout.write(
    `package ${version.trim()}: ${files.length} files, types resolve in a strict consumer, the library example runs\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
