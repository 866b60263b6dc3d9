// How much of a result the model sees. The whole result is kept and can be read by its address. Source: ah, "truncation".

import type { CutLimits } from './cut.ts'

/** Bytes are UTF-8 bytes; the document calls them characters. */
export const cutLimits: Readonly<Record<'bash' | 'read' | 'write' | 'edit' | 'other', CutLimits>> = {
  bash: { maxBytes: 30_000, maxLines: 256 },
  read: { maxBytes: 50_000 },
  write: { maxBytes: 10_000 },
  edit: { maxBytes: 10_000 },
  other: { maxBytes: 30_000 },
}

/** In milliseconds; the default of `timeout`. */
export const bashTimeoutMs = 120_000
