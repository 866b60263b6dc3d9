// Images are sent as base64 text. `btoa` takes a string of bytes, and a function call takes only a limited number of arguments.

const chunkBytes = 24_576

export function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + chunkBytes))))
  return parts.join('')
}
