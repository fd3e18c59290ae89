// Compiles src/ and machines/ into dist/, then bundles what starts as a process or thread of its own.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
rmSync(join(root, 'dist'), { recursive: true, force: true })

const run = (file, args) => {
  const { status } = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', 'tsconfig.json'])
run(join(root, 'scripts/build-harness.js'), [])
run(join(root, 'scripts/build-child.js'), [])
run(join(root, 'scripts/build-compiler.js'), [])
run(join(root, 'scripts/bundle.js'), [])
