import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { z } from 'zod'
import { errorCodes, RedgreenError } from '../errors.ts'
import { reportError } from './failure.ts'
import { type CommandIo, processIo } from './io.ts'
import { addRunOptions, addSharedOptions, parseOptions } from './options.ts'

/**
 * Runs one command line.
 *
 * @param args without the program's own name
 * @returns the exit code: 0 passed, 1 gave up or red, 2 usage, 3 waits for a person, 4 environment, 130 aborted
 */
export async function main(args: readonly string[], io: CommandIo = processIo()): Promise<number> {
  let exitCode = 0
  const json = args.includes('--json')
  const program = createProgram(io, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      if (error.code === 'commander.help') {
        io.stderr.write(program.helpInformation())
        return errorCodes.INVALID_OPTION.exitCode
      }
      return reportError(new RedgreenError('INVALID_OPTION', error.message.replace(/^error: /, '')), io, json)
    }
    return reportError(error, io, json)
  }
}

function createProgram(io: CommandIo, finish: (exitCode: number) => void): Command {
  const program = new Command('redgreen')
    .description(
      'Takes a task or broken code and tests, and gives back code that passed them in a sandbox, or an honest hand-over.',
    )
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: () => {}, outputError: () => {} })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nExit codes: 0 passed · 1 gave up or red · 2 usage · 3 waits for a person · 4 environment or model unavailable · 130 aborted',
    )

  const solve = program
    .command('solve')
    .argument('[task]', 'text, @file.md, or a .json or .yaml task')
    .description('write code for a task until its tests pass')
  addRunOptions(addSharedOptions(solve)).action(async (task: string | undefined, raw: unknown) => {
    const { solveCommand } = await import('./commands/run.ts')
    finish(await solveCommand(task, parseOptions(raw), io))
  })

  const repair = program
    .command('repair')
    .argument('<file>', 'the code to repair')
    .description('repair a file until its tests pass; without a model by search')
    .option('--write', 'write the repaired code over FILE')
    .option('--instruction <text>', 'what the code shall do, beyond its tests')
  addRunOptions(addSharedOptions(repair)).action(async (file: string, raw: unknown) => {
    const { repairCommand } = await import('./commands/run.ts')
    finish(await repairCommand(file, parseOptions(raw), io))
  })

  addSharedOptions(
    program
      .command('verify')
      .argument('<file>', 'the code to judge')
      .description('judge a file once, without changing anything'),
  ).action(async (file: string, raw: unknown) => {
    const { verifyCommand } = await import('./commands/verify.ts')
    finish(await verifyCommand(file, parseOptions(raw), io))
  })

  program
    .command('doctor')
    .description('say what is missing on this machine, and what to do')
    .option('--base-url <url>', 'endpoint to look at')
    .option('--model <name>', 'model to look for')
    .option('--json', 'print the findings as JSON')
    .option('--no-color', 'plain text')
    .option('--trust-project', 'let the project name the base URL that the key of the environment is sent to')
    .action(async (raw: unknown) => {
      const { doctorCommand } = await import('./commands/doctor.ts')
      finish(await doctorCommand(parseOptions(raw), io))
    })

  for (const command of program.commands)
    command
      .exitOverride()
      .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: () => {}, outputError: () => {} })
  return program
}

const manifestSchema = z.object({ version: z.string() })

function packageVersion(): string {
  for (const place of ['../../package.json', '../../../package.json']) {
    try {
      return manifestSchema.parse(JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'))).version
    } catch {
      // The sources lie one folder higher than the built files; the other place is tried.
    }
  }
  return 'unknown'
}
