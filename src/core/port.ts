// One end of the line between a worker and who started it, whatever the platform calls it.

export interface Port<Sent, Received> {
  /** `bytes`: parts of the message that the sender needs no more. */
  post(message: Sent, bytes?: readonly Uint8Array[]): void
  listen(listener: (message: Received) => void): void
}

/** What can be moved instead of copied: only buffers that hold nothing else. */
export function transferOf(bytes: readonly Uint8Array[]): readonly ArrayBufferLike[] {
  return bytes.flatMap(({ buffer, byteLength }) =>
    byteLength > 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer ? [buffer] : [],
  )
}
