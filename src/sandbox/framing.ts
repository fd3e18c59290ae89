const headerBytes = 4

/** One message as bytes: length, then JSON. */
export function encodeFrame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8')
  const frame = Buffer.allocUnsafe(headerBytes + body.length)
  frame.writeUInt32LE(body.length, 0)
  body.copy(frame, headerBytes)
  return frame
}

/** The header of a frame that holds bytes as they are. */
export function rawFrameHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt32LE(length, 0)
  return header
}

/** A length that no honest sender writes: the stream is not worth reading on. */
export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge'
}

/**
 * Cuts a stream into frames. Memory is bounded by `maxFrameBytes`: a length beyond it is refused before its body is
 * waited for.
 */
export class FrameReader {
  readonly #maxFrameBytes: number
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
  }

  /** Bytes that belong to a frame not yet complete; more than none at the end of a stream is a truncated frame. */
  get pendingBytes(): number {
    return this.#bytes
  }

  /** The frames that are complete with this chunk. Throws FrameTooLarge. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const frames: Buffer[] = []
    while (this.#bytes >= headerBytes) {
      const length = this.#header()
      if (length > this.#maxFrameBytes) throw new FrameTooLarge(`a frame of ${length} bytes was announced`)
      if (this.#bytes < headerBytes + length) break
      const all = this.#joined()
      frames.push(all.subarray(headerBytes, headerBytes + length))
      const rest = all.subarray(headerBytes + length)
      this.#chunks = rest.length > 0 ? [rest] : []
      this.#bytes = rest.length
    }
    return frames
  }

  #header(): number {
    const first = this.#chunks[0]
    return first && first.length >= headerBytes ? first.readUInt32LE(0) : this.#joined().readUInt32LE(0)
  }

  #joined(): Buffer {
    const [first, ...more] = this.#chunks
    const joined = first && more.length === 0 ? first : Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }
}
