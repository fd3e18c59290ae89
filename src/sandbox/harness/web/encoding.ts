/** TextEncoder and TextDecoder (UTF-8, UTF-16, Latin-1) and base64 by the standards. */

type Bytes = ArrayBuffer | ArrayBufferView

const toBytes = (input: Bytes | undefined): Uint8Array => {
  if (input === undefined) return new Uint8Array(0)
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
  return new Uint8Array(input)
}

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 3)
  let at = 0
  for (let index = 0; index < text.length; index++) {
    let point = text.charCodeAt(index)
    if (point < 0x80) {
      bytes[at++] = point
      continue
    }
    if (point >= 0xd800 && point < 0xe000) {
      const low = point < 0xdc00 && index + 1 < text.length ? text.charCodeAt(index + 1) : 0
      if (low >= 0xdc00 && low < 0xe000) {
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00)
        index++
      } else point = 0xfffd
    }
    if (point < 0x800) bytes[at++] = 0xc0 | (point >> 6)
    else {
      if (point < 0x10000) bytes[at++] = 0xe0 | (point >> 12)
      else {
        bytes[at++] = 0xf0 | (point >> 18)
        bytes[at++] = 0x80 | ((point >> 12) & 0x3f)
      }
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f)
    }
    bytes[at++] = 0x80 | (point & 0x3f)
  }
  return bytes.slice(0, at)
}

export class TextEncoder {
  get encoding(): string {
    return 'utf-8'
  }

  encode(input: unknown = ''): Uint8Array<ArrayBuffer> {
    return encodeUtf8(String(input))
  }

  encodeInto(source: string, target: Uint8Array): { read: number; written: number } {
    let read = 0
    let written = 0
    for (const character of String(source)) {
      const bytes = encodeUtf8(character)
      if (written + bytes.length > target.length) break
      target.set(bytes, written)
      written += bytes.length
      read += character.length
    }
    return { read, written }
  }
}

/** Decodes UTF-8 with the standard's replacement of maximal ill-formed parts; `pending` is an unfinished sequence at the end. */
function decodeUtf8(bytes: Uint8Array, fatal: boolean, isLast: boolean): { text: string; pending: Uint8Array } {
  const units: string[] = []
  let chunk: number[] = []
  const flush = (): void => {
    units.push(String.fromCodePoint(...chunk))
    chunk = []
  }
  const bad = (): void => {
    if (fatal) throw new TypeError('The encoded data was not valid for encoding utf-8')
    chunk.push(0xfffd)
  }
  let at = 0
  while (at < bytes.length) {
    if (chunk.length > 4_000) flush()
    const first = bytes[at] ?? 0
    if (first < 0x80) {
      chunk.push(first)
      at++
      continue
    }
    const size =
      first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0
    if (size === 0) {
      bad()
      at++
      continue
    }
    let point = first & (0xff >> (size + 1))
    let taken = 1
    for (; taken < size && at + taken < bytes.length; taken++) {
      const next = bytes[at + taken] ?? 0
      const low = taken > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
      const high = taken > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
      if (next < low || next > high) break
      point = (point << 6) | (next & 0x3f)
    }
    if (taken === size) chunk.push(point)
    else if (at + taken >= bytes.length && !isLast) {
      flush()
      return { text: units.join(''), pending: bytes.slice(at) }
    } else bad()
    at += taken
  }
  flush()
  return { text: units.join(''), pending: new Uint8Array(0) }
}

const labels: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16': 'utf-16le',
  ascii: 'windows-1252',
  latin1: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
}

export class TextDecoder {
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  #pending = new Uint8Array(0)
  #started = false

  constructor(label = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const encoding = labels[String(label).trim().toLowerCase()]
    if (!encoding) throw new RangeError(`The "${label}" encoding is not supported`)
    this.encoding = encoding
    this.fatal = Boolean(options.fatal)
    this.ignoreBOM = Boolean(options.ignoreBOM)
  }

  decode(input?: Bytes, options: { stream?: boolean } = {}): string {
    const given = toBytes(input)
    const bytes = new Uint8Array(this.#pending.length + given.length)
    bytes.set(this.#pending)
    bytes.set(given, this.#pending.length)
    const isLast = !options.stream
    let text = ''
    this.#pending = new Uint8Array(0)
    if (this.encoding === 'utf-8') {
      const decoded = decodeUtf8(bytes, this.fatal, isLast)
      text = decoded.text
      this.#pending = new Uint8Array(decoded.pending)
    } else if (this.encoding === 'utf-16le') {
      const even = bytes.length - (bytes.length % 2)
      for (let at = 0; at < even; at += 2) text += String.fromCharCode((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8))
      if (even < bytes.length && isLast) text += '\ufffd'
      else this.#pending = bytes.slice(even)
    } else for (const byte of bytes) text += String.fromCharCode(byte)
    if (!this.#started && !this.ignoreBOM && text.startsWith('\ufeff')) text = text.slice(1)
    this.#started = !isLast && (this.#started || text !== '')
    return text
  }
}
