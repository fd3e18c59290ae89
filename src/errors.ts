/**
 * The closed list of error codes. Each has an entry in docs/errors.md with cause, remedy, HTTP status and exit code.
 */
export const errorCodes = {
  // misuse: known before the run starts
  INVALID_TASK: { exitCode: 2, httpStatus: 400 },
  INVALID_OPTION: { exitCode: 2, httpStatus: 400 },
  INVALID_CONFIG: { exitCode: 2, httpStatus: 400 },
  INSTRUCTION_EMPTY: { exitCode: 2, httpStatus: 400 },
  TESTS_REQUIRED: { exitCode: 2, httpStatus: 400 },
  TESTS_EMPTY: { exitCode: 2, httpStatus: 400 },
  TESTS_SYNTAX: { exitCode: 2, httpStatus: 400 },
  TESTS_IMPORT: { exitCode: 2, httpStatus: 400 },
  FILE_UNREADABLE: { exitCode: 2, httpStatus: 400 },
  FILE_TOO_LARGE: { exitCode: 2, httpStatus: 413 },
  PATH_REFUSED: { exitCode: 2, httpStatus: 400 },
  PACKAGE_UNKNOWN: { exitCode: 2, httpStatus: 400 },
  LANGUAGE_UNAVAILABLE: { exitCode: 2, httpStatus: 501 },
  MODEL_REQUIRED: { exitCode: 2, httpStatus: 400 },
  MODEL_UNKNOWN: { exitCode: 2, httpStatus: 400 },
  MODEL_KEY_REFUSED: { exitCode: 2, httpStatus: 401 },
  MODEL_ENDPOINT_INVALID: { exitCode: 2, httpStatus: 400 },
  PRICE_REQUIRED: { exitCode: 2, httpStatus: 400 },
  NODE_UNSUPPORTED: { exitCode: 2, httpStatus: 500 },
  RECORDING_INVALID: { exitCode: 2, httpStatus: 400 },
  NOT_IMPLEMENTED: { exitCode: 2, httpStatus: 501 },
  // infrastructure and cancellation
  MODEL_UNAVAILABLE: { exitCode: 4, httpStatus: 502 },
  MODEL_CONTEXT_OVERFLOW: { exitCode: 4, httpStatus: 502 },
  MODEL_REPLY_UNPARSABLE: { exitCode: 4, httpStatus: 502 },
  BUDGET_EXHAUSTED: { exitCode: 1, httpStatus: 429 },
  SANDBOX_UNAVAILABLE: { exitCode: 4, httpStatus: 503 },
  SANDBOX_PROTOCOL: { exitCode: 4, httpStatus: 500 },
  TYPE_SERVICE_FAILED: { exitCode: 4, httpStatus: 500 },
  JOURNAL_DIVERGED: { exitCode: 4, httpStatus: 409 },
  RUN_UNKNOWN: { exitCode: 2, httpStatus: 404 },
  OUTPUT_UNWRITABLE: { exitCode: 2, httpStatus: 500 },
  ENGINE_CLOSED: { exitCode: 2, httpStatus: 503 },
  TRANSITION_LIMIT: { exitCode: 4, httpStatus: 500 },
  PORT_MISSING: { exitCode: 4, httpStatus: 500 },
  ABORTED: { exitCode: 130, httpStatus: 499 },
  INTERNAL: { exitCode: 4, httpStatus: 500 },
} as const satisfies Record<string, { exitCode: number; httpStatus: number }>

export type ErrorCode = keyof typeof errorCodes

const marker = Symbol.for('redgreen.error')

/**
 * Misuse, broken infrastructure or cancellation. A bad candidate is never an error but a Report.
 * The message says what was expected, what came and what to do; it holds no secret.
 */
export class RedgreenError extends Error {
  override readonly name = 'RedgreenError'
  readonly code: ErrorCode
  /** Structured facts for programs, e.g. the name of the missing package. */
  readonly detail?: Readonly<Record<string, unknown>>
  readonly [marker] = true

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; detail?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    if (options.detail) this.detail = options.detail
  }

  /** True for errors of any copy of this package in the process. */
  static isInstance(value: unknown): value is RedgreenError {
    return typeof value === 'object' && value !== null && marker in value
  }
}
