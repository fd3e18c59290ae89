#!/usr/bin/env node
// Keeps to syntax and APIs of old versions of Node, so that they can be told what is wrong.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 16)) {
  process.stderr.write(
    `redgreen: NODE_UNSUPPORTED: Node ${process.versions.node} is too old; redgreen needs Node 22.16 or newer\n`,
  )
  process.exitCode = 2
} else {
  const { enableCompileCache } = await import('node:module')
  const { compileCacheFolder } = await import('../cache-folder.ts')
  enableCompileCache(compileCacheFolder)
  // A reader that has gone (`| head`) is no reason to leave work half done; what is printed from then on is for nobody.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (!('code' in error) || error.code !== 'EPIPE') throw error
    })
  if (['solve', 'repair', 'verify'].includes(process.argv[2] ?? '') && !process.argv.includes('--help')) {
    // the compiler takes as long to load as all the rest, and another processor is free
    const { startTypeWorkerEarly } = await import('../validate/type-worker.ts')
    startTypeWorkerEarly()
  }
  const { main } = await import('./program.ts')
  process.exitCode = await main(process.argv.slice(2))
}

export {}
