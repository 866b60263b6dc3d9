// A busy script lets no timer fire, but it asks at every turn whether it must end. Whoever wants to be woken at a moment within the script
// is told then.

export interface Deadlines {
  /** Calls `ring` once at `atMs` (on `performance.now()`), or at the first turn after it. Returns how to call it off. */
  add(atMs: number, ring: () => void): () => void
  /** Rings what is due. */
  check(): void
}

const longestTimerMs = 2 ** 31 - 1

export function createDeadlines(): Deadlines {
  const waiting = new Set<{ readonly atMs: number; readonly ring: () => void }>()
  return {
    add: (atMs, ring) => {
      const entry = {
        atMs,
        ring: () => {
          if (waiting.delete(entry)) ring()
        },
      }
      waiting.add(entry)
      const timer = setTimeout(entry.ring, Math.min(longestTimerMs, Math.max(0, atMs - performance.now())))
      return () => {
        waiting.delete(entry)
        clearTimeout(timer)
      }
    },
    check: () => {
      if (waiting.size === 0) return
      const nowMs = performance.now()
      for (const { atMs, ring } of waiting) if (nowMs >= atMs) ring()
    },
  }
}
