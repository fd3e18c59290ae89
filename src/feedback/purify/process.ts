import { silentExit } from './bash.ts'
import type { Finding, FinerKind } from './finding.ts'
import type { ToolText } from './reading.ts'

const signals: Readonly<Record<string, { finer: FinerKind; words: string }>> = {
  SIGKILL: { finer: 'out_of_memory', words: 'killed (SIGKILL)' },
  SIGABRT: { finer: 'crash', words: 'aborted (SIGABRT)' },
  SIGSEGV: { finer: 'crash', words: 'segmentation fault (SIGSEGV)' },
  SIGBUS: { finer: 'crash', words: 'bus error (SIGBUS)' },
  SIGILL: { finer: 'crash', words: 'illegal instruction (SIGILL)' },
  SIGFPE: { finer: 'crash', words: 'arithmetic fault (SIGFPE)' },
  SIGTRAP: { finer: 'crash', words: 'trap (SIGTRAP)' },
  SIGTERM: { finer: 'timeout', words: 'ended from outside (SIGTERM)' },
  SIGXCPU: { finer: 'timeout', words: 'processor time used up (SIGXCPU)' },
  SIGALRM: { finer: 'timeout', words: 'alarm (SIGALRM)' },
  SIGINT: { finer: 'cancelled', words: 'interrupted (SIGINT)' },
  SIGHUP: { finer: 'cancelled', words: 'hung up (SIGHUP)' },
  SIGXFSZ: { finer: 'output', words: 'file too large (SIGXFSZ)' },
  SIGPIPE: { finer: 'runtime', words: 'broken pipe (SIGPIPE)' },
}

// 128 + number, as shells report a signal.
const byNumber: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  24: 'SIGXCPU',
  25: 'SIGXFSZ',
}

const outOfMemory =
  /(?:FATAL ERROR: .*)?(?:Reached heap limit|heap out of memory|Ineffective mark-compacts|invalid array length Allocation failed|Allocation failed - |Isolate was disposed during execution due to memory limit|Array buffer allocation failed|MemoryError\b|std::bad_alloc|Out of memory: Killed process|OOMKilled|OutOfMemoryError)/

/** The end of a process, where its own reports do not tell why: memory, signals, time limits, exit codes. Undefined for a good end. */
export function processFinding(input: ToolText): Finding | undefined {
  if (input.endedBy === 'timeout') return { finer: 'timeout', message: 'ended at the time limit' }
  if (input.endedBy === 'memory') return { finer: 'out_of_memory', message: 'ended at the memory limit' }
  const memory = fatalMemory(input.text)
  if (memory) return memory
  const code = input.exitCode
  const signal = input.signal ?? (typeof code === 'number' ? signalOf(code) : undefined)
  if (signal !== undefined) {
    const known = signals[signal] ?? { finer: 'crash' as const, words: `ended by ${signal}` }
    const finding: Finding = { finer: known.finer, message: `process ${known.words}`, code: signal }
    if (signal === 'SIGKILL') {
      finding.message = 'process killed (SIGKILL), most likely out of memory'
      finding.hint = 'whoever sent the signal is not known: it may also have been a time limit'
    }
    const native =
      /^(?:#\s*)?(?:Fatal error in|FATAL ERROR:|Check failed:|Assertion failed:|panicked at|terminate called after).*$/m.exec(
        input.text.slice(-20_000),
      )
    if (native && known.finer === 'crash') finding.message = `${finding.message}: ${native[0].slice(0, 200)}`
    return finding
  }
  if (typeof code !== 'number' || code === 0) return undefined
  if (code === 124) return { finer: 'timeout', message: 'ended at the time limit (exit code 124)', code: '124' }
  if (code === 127) return { finer: 'missing_command', message: 'command not found (exit code 127)', code: '127' }
  if (code === 126)
    return { finer: 'missing_command', message: 'command cannot be executed (exit code 126)', code: '126' }
  if (code === 13 && /unsettled top-level await/.test(input.text))
    return { finer: 'timeout', message: 'a promise awaited at the top level never settles', code: '13' }
  const windows = code >>> 0
  if (windows === 0xc0000005) return { finer: 'crash', message: 'access violation (0xC0000005)', code: '0xC0000005' }
  if (windows === 0xc00000fd)
    return { finer: 'stack_overflow', message: 'stack overflow (0xC00000FD)', code: '0xC00000FD' }
  if (windows === 0xc0000017)
    return { finer: 'out_of_memory', message: 'out of memory (0xC0000017)', code: '0xC0000017' }
  if (windows === 0xc000013a) return { finer: 'cancelled', message: 'interrupted (0xC000013A)', code: '0xC000013A' }
  return silentExit(input, code)
}

function signalOf(code: number): string | undefined {
  return code > 128 && code < 160 ? byNumber[code - 128] : undefined
}

/** A runtime's last words on memory; looked for near the end and near the start, where runtimes put them. */
function fatalMemory(text: string): Finding | undefined {
  const ends = text.length > 80_000 ? `${text.slice(0, 40_000)}\n${text.slice(-40_000)}` : text
  const found = outOfMemory.exec(ends)
  if (!found) return undefined
  const start = ends.lastIndexOf('\n', found.index) + 1
  const end = ends.indexOf('\n', found.index)
  const line = ends.slice(start, end === -1 ? undefined : end).trim()
  return { finer: 'out_of_memory', message: line.replace(/^FATAL ERROR: /, '').slice(0, 300) }
}
