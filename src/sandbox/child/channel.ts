import { Socket } from 'node:net'
import { encodeFrame, FrameReader } from '../framing.ts'
import type { FromChild, ToChild } from '../protocol.ts'

/** The descriptor of the channel in every child; it inherits nothing else. */
const channelDescriptor = 3
/** The parent is trusted; the bound only keeps a broken stream from eating memory. */
const maxFrameBytes = 1_073_741_824

/** The child's side of the protocol. */
export interface Channel {
  send(message: FromChild): void
}

/** What the child does with the parent's frames, in order. */
interface ChannelEvents {
  /** The first frame, as bytes; empty where the parent has no snapshot. */
  onSnapshot(bytes: Uint8Array): void
  onMessage(message: ToChild): void
}

/** Opens the inherited channel. */
export function openChannel({ onSnapshot, onMessage }: ChannelEvents): Channel {
  const socket = new Socket({ fd: channelDescriptor, readable: true, writable: true })
  const reader = new FrameReader(maxFrameBytes)
  let hasBegun = false
  socket.on('data', (chunk: Buffer) => {
    for (const frame of reader.push(chunk)) {
      // Trusted: nothing but the parent holds the other end.
      if (hasBegun) onMessage(JSON.parse(frame.toString('utf8')) as ToChild)
      else onSnapshot(frame)
      hasBegun = true
    }
  })
  // The parent is gone, or wants this child gone: nothing is left to be done for anyone.
  socket.on('end', () => process.exit(0))
  socket.on('error', () => process.exit(0))
  return {
    send(message) {
      socket.write(encodeFrame(message))
    },
  }
}
