// One end of the connection between a worker and the thread that started it, independent of the platform.

export interface Port<Sent, Received> {
  /** `bytes` are parts of the message that the sender no longer needs. */
  post(message: Sent, bytes?: readonly Uint8Array[]): void
  listen(listener: (message: Received) => void): void
}

/** The buffers that can be transferred instead of copied, because they contain nothing else. */
export function transferOf(bytes: readonly Uint8Array[]): readonly ArrayBufferLike[] {
  return bytes.flatMap(({ buffer, byteLength }) =>
    byteLength > 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer ? [buffer] : [],
  )
}
