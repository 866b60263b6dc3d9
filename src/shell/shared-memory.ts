/** Returns `undefined` if threads cannot share memory, as in a page that is not cross-origin isolated. */
export function createSharedMemory(sizeBytes: number): SharedArrayBuffer | undefined {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean }
  if (crossOriginIsolated === false || typeof SharedArrayBuffer === 'undefined') return undefined
  return new SharedArrayBuffer(sizeBytes)
}
