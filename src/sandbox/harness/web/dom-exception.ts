const codes: Readonly<Record<string, number>> = {
  IndexSizeError: 1,
  NotFoundError: 8,
  NotSupportedError: 9,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidAccessError: 15,
  AbortError: 20,
  QuotaExceededError: 22,
  TimeoutError: 23,
  DataCloneError: 25,
}

/** DOMException as platforms have it: an Error with a name that tells the kind. */
export class DOMException extends Error {
  readonly #name: string

  constructor(message = '', nameOrOptions: string | { name?: string; cause?: unknown } = 'Error') {
    const options =
      typeof nameOrOptions === 'object' && nameOrOptions !== null ? nameOrOptions : { name: nameOrOptions }
    super(String(message), 'cause' in options ? { cause: options.cause } : undefined)
    this.#name = String(options.name ?? 'Error')
  }

  override get name(): string {
    return this.#name
  }

  get code(): number {
    return codes[this.#name] ?? 0
  }

  get [Symbol.toStringTag](): string {
    return 'DOMException'
  }
}
