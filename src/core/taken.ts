// Takes ownership of bytes. Their buffer is detached, so that the previous owner cannot change them any more.

/**
 * Returns the bytes in a separate buffer, without a copy if possible; `bytes` is then empty. They are copied if they are a part
 * of a larger buffer, because others use the rest of it, or if they are in shared memory or WebAssembly memory.
 */
export function taken(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // The engine throws for shared memory and WebAssembly memory.
  const buffer = bytes.buffer as ArrayBuffer
  try {
    if (bytes.length === buffer.byteLength) return new Uint8Array(structuredClone(buffer, { transfer: [buffer] }))
  } catch {}
  return new Uint8Array(bytes)
}
