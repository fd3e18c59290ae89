import { TextDecoder } from '../web/encoding.ts'

/** Decodes bytes that come in pieces. */
export class StringDecoder {
  readonly encoding: string
  readonly #decoder: TextDecoder

  constructor(encoding = 'utf8') {
    this.encoding = encoding
    this.#decoder = new TextDecoder(encoding)
  }

  write(bytes: ArrayBufferView): string {
    return this.#decoder.decode(bytes, { stream: true })
  }

  end(bytes?: ArrayBufferView): string {
    return this.#decoder.decode(bytes)
  }
}
