/** One event of a stream of server-sent events. */
export interface SseEvent {
  readonly event: string
  readonly data: string
}

export interface SseParser {
  push(bytes: Uint8Array): void
  /** The stream has ended: an event without its closing blank line is delivered too. */
  end(): void
}

/**
 * Reads server-sent events from bytes as they arrive, after the parsing rules of the HTML standard (section 9.2.6): CR, LF and
 * CRLF, comments, several data lines, no space after the colon, a byte order mark, characters split over chunks.
 * Beyond the standard it accepts what servers are seen to send: events not parted by blank lines (each complete JSON line
 * stands alone), bare JSON lines without `data:`, and a last event without its blank line.
 */
export function createSseParser(deliver: (event: SseEvent) => void): SseParser {
  const decoder = new TextDecoder()
  let rest = ''
  let afterCarriageReturn = false
  let event = ''
  let data: string[] = []

  const flush = () => {
    if (data.length > 0) {
      const whole = data.join('\n')
      // Without blank lines between events their data would be glued together; a lone JSON text spans its lines legitimately.
      if (data.length > 1 && data.every(isComplete)) for (const line of data) deliver({ event, data: line })
      else deliver({ event, data: whole })
    }
    event = ''
    data = []
  }
  const readLine = (line: string) => {
    if (line === '') return flush()
    if (line.startsWith('{')) return void data.push(line)
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') {
      // A stream without blank lines must still be delivered as it arrives: what is whole goes out when the next line comes.
      if (data.length === 1 && isComplete(data[0] ?? '') && isComplete(value)) flush()
      data.push(value)
    } else if (field === 'event') event = value
  }
  const feed = (text: string) => {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === 10 && afterCarriageReturn && at === from && rest === '') {
        from = at + 1
        afterCarriageReturn = false
        continue
      }
      afterCarriageReturn = false
      if (code !== 10 && code !== 13) continue
      const line = rest + text.slice(from, at)
      rest = ''
      from = at + 1
      afterCarriageReturn = code === 13
      readLine(line)
    }
    rest += text.slice(from)
  }
  return {
    push: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end: () => {
      feed(decoder.decode())
      if (rest !== '') readLine(rest)
      rest = ''
      flush()
    },
  }
}

/** Whether a data line is an event of its own: `[DONE]` or JSON that ends where the line ends. */
function isComplete(line: string): boolean {
  const text = line.trim()
  if (text === '[DONE]') return true
  if (!text.startsWith('{') || !text.endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
