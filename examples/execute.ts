// A program without tests, inside the same walls; what it may use can be narrowed.
import { createEngine } from 'redgreen'

await using engine = createEngine()
console.log(await engine.execute('console.log([3, 1, 2].sort().join(" "))\nexport default 6 * 7\n'))
console.log(await engine.execute('export default Math.random()', { deny: { calls: ['Math.random'] } }))
console.log(await engine.execute('while (true) {}', { limits: { cpuMs: 200 } }))
