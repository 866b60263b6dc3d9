// Formats sizes and ages for models and users. They are in one module, because footers, listings and errors must agree.

const kilobyte = 1024
const megabyte = 1024 * 1024
const gigabyte = 1024 * 1024 * 1024

/** `512B`, `1.5KB`, `50.0KB`, `4.8MB`, `2.0GB`. Units of 1024. The unit is chosen before rounding: 1048575 is `1024.0KB`. */
export function formatSize(bytes: number): string {
  if (bytes < kilobyte) return `${bytes}B`
  if (bytes < megabyte) return `${(bytes / kilobyte).toFixed(1)}KB`
  if (bytes < gigabyte) return `${(bytes / megabyte).toFixed(1)}MB`
  return `${(bytes / gigabyte).toFixed(1)}GB`
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const monthMs = 30 * dayMs
const yearMs = 365 * dayMs

/** `12s`, `5m`, `3h`, `9d`, `4mo`, `2y`: the largest unit that fits, rounded down. A month is 30 days. The future is `0s`. */
export function formatAge(ageMs: number): string {
  const age = Math.max(0, ageMs)
  if (age < minuteMs) return `${Math.floor(age / secondMs)}s`
  if (age < hourMs) return `${Math.floor(age / minuteMs)}m`
  if (age < dayMs) return `${Math.floor(age / hourMs)}h`
  if (age < monthMs) return `${Math.floor(age / dayMs)}d`
  if (age < yearMs) return `${Math.floor(age / monthMs)}mo`
  return `${Math.floor(age / yearMs)}y`
}

const notAscii = /[^\0-\x7f]/

/** The length of `text` in UTF-8 without encoding it. Half of a surrogate pair counts 3, like its replacement character. */
export function utf8SizeBytes(text: string): number {
  let sizeBytes = text.length
  // Most texts are ASCII, which the regular expression finds several times faster than the loop.
  const first = text.search(notAscii)
  if (first === -1) return sizeBytes
  for (let index = first; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) {
      sizeBytes += 1
      continue
    }
    sizeBytes += 2
    if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      // A pair is two units and four bytes; `text.length` already counts the low half.
      index++
    }
  }
  return sizeBytes
}
