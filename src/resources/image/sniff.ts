// Detects an image's format by its first bytes. Names can be wrong, and a model provider refuses a whole conversation over a mislabelled
// image.

export type ImageFormat =
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'bmp'
  | 'tiff'
  | 'ico'
  | 'hdr'
  | 'exr'
  | 'pnm'
  | 'qoi'
  | 'dds'
  | 'farbfeld'
  /** Has no signature: recognised only by its name. */
  | 'tga'

/** `undefined` if no format begins like this. Never `tga`. */
export function sniffImage(bytes: Uint8Array): ImageFormat | undefined {
  const starts = (...values: readonly (number | undefined)[]): boolean =>
    values.every((value, index) => value === undefined || bytes[index] === value)
  const says = (text: string, at = 0): boolean =>
    Array.from(text).every((character, index) => bytes[at + index] === character.charCodeAt(0))

  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png'
  if (starts(0xff, 0xd8, 0xff)) return 'jpeg'
  if (says('GIF87a') || says('GIF89a')) return 'gif'
  if (says('RIFF') && says('WEBP', 8)) return 'webp'
  if (says('II*\0') || says('MM\0*') || says('II+\0') || says('MM\0+')) return 'tiff'
  if (says('#?RADIANCE') || says('#?RGBE')) return 'hdr'
  if (starts(0x76, 0x2f, 0x31, 0x01)) return 'exr'
  if (says('qoif')) return 'qoi'
  if (says('DDS ')) return 'dds'
  if (says('farbfeld')) return 'farbfeld'
  // Two letters or four small numbers are a weak signature, so the next bytes are checked too.
  if (/^P[1-7]\s/.test(String.fromCharCode(...bytes.subarray(0, 3)))) return 'pnm'
  if (says('BM') && bytes.length >= 26 && starts(...Array<undefined>(6), 0, 0, 0, 0)) return 'bmp'
  if (starts(0, 0, 1, 0) && bytes.length >= 22 && (bytes[4] ?? 0) > 0 && bytes[9] === 0) return 'ico'
  return undefined
}

/** For the formats that are shown unconverted; `undefined` for those that are converted first. */
export function mimeTypeOf(format: ImageFormat): string | undefined {
  switch (format) {
    case 'png':
    case 'jpeg':
    case 'gif':
    case 'webp':
    case 'bmp':
      return `image/${format}`
    default:
      return undefined
  }
}
