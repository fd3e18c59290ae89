import { resolveConfig } from '../../config.ts'
import { createEngine } from '../../engine.ts'
import { readFileTask } from '../inputs.ts'
import type { CommandIo } from '../io.ts'
import type { SharedOptions } from '../options.ts'
import { createPaint } from '../view/paint.ts'
import { renderReport } from '../view/summary.ts'

/** Judges FILE once: 0 green, 1 red. */
export async function verifyCommand(file: string, options: SharedOptions, io: CommandIo): Promise<number> {
  const input = readFileTask(file, options, undefined)
  const config = await resolveConfig({
    flags: {},
    environment: io.environment,
    projectDir: process.cwd(),
    trustProject: true,
  })
  await using engine = createEngine({ policy: config.policy, packageRoot: input.root })
  const { instruction: _, labels: __, acceptance: ___, files = {}, tests = {}, ...rest } = input.task
  const interrupt = new AbortController()
  const ignoreInterrupts = io.onInterrupt(() => interrupt.abort())
  try {
    const report = await engine.verify({ ...rest, files, tests }, { signal: interrupt.signal })
    if (options.json) io.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else if (options.quiet)
      io.stdout.write(
        `${report.passed ? 'green' : 'red'}  ${report.tests.passed} of ${report.tests.total} tests pass\n`,
      )
    else {
      const colour = options.color && !config.noColor && io.stdout.isTTY === true
      io.stdout.write(renderReport(report, createPaint(colour), io.stdout.columns ?? 80))
    }
    return report.passed ? 0 : 1
  } finally {
    ignoreInterrupts()
  }
}
