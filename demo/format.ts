// Formats numbers for people.

/** `812 bytes`, `14.2 kB`, `1.4 MB` (powers of ten, as browsers show downloads). */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} ${sizeBytes === 1 ? 'byte' : 'bytes'}`
  if (sizeBytes < 1_000_000) return `${(sizeBytes / 1000).toFixed(1)} kB`
  return `${(sizeBytes / 1_000_000).toFixed(1)} MB`
}

/** `0.8 ms`, `48 ms`, `5.0 s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 10) return `${durationMs.toFixed(1)} ms`
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  return `${(durationMs / 1000).toFixed(1)} s`
}

export function formatCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
