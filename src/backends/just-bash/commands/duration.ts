// Durations of coreutils: a number, optionally with a fraction and a unit.

const unitMs: Readonly<Record<string, number>> = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `undefined` if `text` is not a duration. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d*)?|\.\d+)([smhd]?)$/.exec(text)
  const unit = unitMs[match?.[2] ?? '']
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit
}
