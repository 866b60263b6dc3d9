// Bytes that their owner gives away. Taking them detaches their buffer, so that the former owner cannot change them any more.

/**
 * The bytes in a separate buffer, without a copy if possible: then `bytes` is empty afterwards. Copied instead: a part of a larger
 * buffer, because others use the rest of it; shared memory; memory of WebAssembly.
 */
export function taken(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  // The engine refuses shared memory and the memory of WebAssembly.
  const buffer = bytes.buffer as ArrayBuffer
  try {
    if (bytes.length === buffer.byteLength) return new Uint8Array(structuredClone(buffer, { transfer: [buffer] }))
  } catch {}
  return new Uint8Array(bytes)
}
