import type { Failure, FailureKind } from '../domain/report.ts'
import { finerOfCode } from './purify/compiler-codes.ts'
import { type FinerKind, kindOf } from './purify/finding.ts'
import { finerOfSqlState, isSqlState } from './purify/sql.ts'
import { finerOfThrown } from './purify/thrown.ts'
import { purifyDetailed, type Sources } from './purify.ts'

/** What kind a failure is, and the rule that says so; `kind` null where no rule fits, and a model may be asked. */
export type Classification =
  | { readonly kind: FailureKind; readonly finer: FinerKind; readonly by: string }
  | { readonly kind: null; readonly by: null }

/** Parts of a failure that rules look at. */
export type Classifiable = Partial<Pick<Failure, 'code' | 'message' | 'layer' | 'expected' | 'actual' | 'kind'>> & {
  readonly name?: string
}

const layerKinds: Readonly<Record<string, FinerKind>> = {
  extract: 'reply',
  syntax: 'syntax',
  imports: 'import',
  types: 'type',
  policy: 'policy',
}

/**
 * The kind of a failure by rules: codes first (compiler, SQLSTATE, system, exit codes), then the error's name, then fixed sentences
 * of engines and runners, then the layer it came from.
 */
export function classify(failure: Classifiable | string): Classification {
  const parts: Classifiable = typeof failure === 'string' ? { message: failure } : failure
  const message = (parts.message ?? '').slice(0, 8_000)
  const { code } = parts
  const as = (finer: FinerKind, by: string): Classification => ({ kind: kindOf(finer), finer, by })
  const number = code ?? /\berror (TS\d{3,5}):/.exec(message)?.[1]
  if (number !== undefined && /^TS\d+$/.test(number)) return as(finerOfCode(number), 'compiler code')
  if (isSqlState(code)) return as(finerOfSqlState(code), 'SQLSTATE')
  const named = code ?? /^(E[A-Z]{3,}): /.exec(message)?.[1]
  const system = named === undefined ? undefined : systemCodes[named]
  if (system !== undefined) return as(system, 'error code')
  const head = /^(?:Uncaught )?([A-Z]\w*(?:Error|Exception)|AssertionError)(?: \[\w+\])?: ([\s\S]*)$/.exec(message)
  const name = parts.name ?? head?.[1] ?? (code !== undefined && /^[A-Z]\w*(?:Error|Exception)$/.test(code) ? code : '')
  const body = head?.[2] ?? message
  const thrown = finerOfThrown(name, body, code)
  if (thrown !== 'runtime') return as(thrown, name && thrown !== 'syntax' ? 'error name or message' : 'message')
  if (name !== '') return as('runtime', 'error name')
  for (const [pattern, finer, by] of sentences) if (pattern.test(body)) return as(finer, by)
  if (parts.expected !== undefined && parts.actual !== undefined) return as('assertion', 'expected and actual')
  const layer = parts.layer === undefined ? undefined : layerKinds[parts.layer]
  if (layer !== undefined) return as(layer, 'layer')
  return { kind: null, by: null }
}

/** The kind of a tool's output: that of its leading failure. */
export function classifyOutput(raw: unknown, sources?: Sources): Classification {
  const [first] = purifyDetailed(raw, sources)
  if (!first) return { kind: null, by: null }
  return { kind: first.failure.kind, finer: first.finer, by: 'output' }
}

const systemCodes: Readonly<Record<string, FinerKind>> = {
  ERR_ASSERTION: 'assertion',
  ERR_MODULE_NOT_FOUND: 'import',
  MODULE_NOT_FOUND: 'import',
  ERR_PACKAGE_PATH_NOT_EXPORTED: 'import',
  ERR_UNKNOWN_BUILTIN_MODULE: 'import',
  ERR_SCRIPT_EXECUTION_TIMEOUT: 'timeout',
  ERR_UNHANDLED_REJECTION: 'unhandled',
  ERR_WORKER_OUT_OF_MEMORY: 'out_of_memory',
  ETIMEDOUT: 'timeout',
  ESOCKETTIMEDOUT: 'timeout',
  ECONNREFUSED: 'infrastructure',
  ECONNRESET: 'infrastructure',
  ENOTFOUND: 'infrastructure',
  EAI_AGAIN: 'infrastructure',
  ENOSPC: 'infrastructure',
  EMFILE: 'infrastructure',
  ENOMEM: 'out_of_memory',
  ENOENT: 'runtime',
  EACCES: 'runtime',
  EPERM: 'runtime',
  SIGKILL: 'out_of_memory',
  SIGSEGV: 'crash',
  SIGABRT: 'crash',
  SIGBUS: 'crash',
  SIGILL: 'crash',
  SIGTERM: 'timeout',
  '124': 'timeout',
  '126': 'missing_command',
  '127': 'missing_command',
  '137': 'out_of_memory',
  '139': 'crash',
}

const sentences: readonly (readonly [RegExp, FinerKind, string])[] = [
  [/^no code found|^the reply holds no|^reply (?:truncated|refused|empty)/i, 'reply', 'reply'],
  [/command not found|: not found$/, 'missing_command', 'shell message'],
  [/^(?:no tests? (?:ran|found)|no test (?:files|suite) found|Ran 0 tests)/i, 'no_test_report', 'runner message'],
  [/^fixture '[^']+' not found/, 'fixture', 'runner message'],
  [
    /^(?:syntax error|parse error|unexpected (?:token|end of (?:input|file))|unterminated |expected .{1,40} but found|near "[^"]*": syntax error|invalid syntax|expression expected)/i,
    'syntax',
    'parser message',
  ],
  [
    /^(?:unknown import|no module named|cannot find module|could not resolve|unresolved import)/i,
    'import',
    'import message',
  ],
  [/constraint failed|violates (?:\w+[ -]){1,2}constraint|duplicate key/i, 'constraint', 'database message'],
  [
    /^(?:no such (?:table|column|function)|(?:relation|column|table|function) .+ (?:does not exist|already exists))/i,
    'schema',
    'database message',
  ],
  [
    /^(?:type error|Type '.*' is not assignable|Property '.*' does not exist on type|Cannot find name '|Argument of type|Object is possibly|Parameter '.*' implicitly)/i,
    'type',
    'compiler message',
  ],
  [/^(?:Segmentation fault|Bus error|Illegal instruction|Aborted)/i, 'crash', 'signal'],
  [/^Killed$/i, 'out_of_memory', 'signal'],
  [/out of memory|memory limit/i, 'out_of_memory', 'memory message'],
  [/\btimed? ?out\b|time limit/i, 'timeout', 'time message'],
  [
    /^(?:expected\b.*\b(?:got|to|but|received)\b|expect\(|assert(?:ion)?\b|values? (?:differ|identical)|.+ (?:!==|!=) .+$)/i,
    'assertion',
    'comparison message',
  ],
  [
    /\b(?:is not a function|is not defined|is not iterable|cannot read propert|is undefined|is null|division by zero|index out of (?:range|bounds)|does not exist|invalid literal for)/i,
    'runtime',
    'runtime message',
  ],
]
