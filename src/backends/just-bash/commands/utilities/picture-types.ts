// Describes pictures for the command `file`, with their sizes.

import type { BinaryView } from './binary-view.ts'

const pngColors: Readonly<Record<number, string>> = {
  0: ' grayscale',
  2: '/color RGB',
  3: ' colormap',
  4: ' gray+alpha',
  6: '/color RGBA',
}

export function describePng(view: BinaryView, start = 0): string {
  const color = pngColors[view.byte(start + 25)] ?? ''
  const interlaced = view.byte(start + 28) === 1 ? 'interlaced' : 'non-interlaced'
  return `PNG image data, ${view.long(start + 16)} x ${view.long(start + 20)}, ${view.byte(start + 24)}-bit${color}, ${interlaced}`
}

export function describeGif(view: BinaryView): string {
  return `GIF image data, version ${view.text(3, 6)}, ${view.short(6, true)} x ${view.short(8, true)}`
}

const densityUnits: Readonly<Record<number, string>> = { 0: 'aspect ratio', 1: 'resolution (DPI)', 2: 'resolution (DPCM)' }

const frames: Readonly<Record<number, string>> = { 0xc0: 'baseline', 0xc1: 'extended sequential', 0xc2: 'progressive' }

export function describeJpeg(view: BinaryView): string {
  let shown = 'JPEG image data'
  let at = 2
  while (at + 4 <= view.length && view.byte(at) === 0xff) {
    const marker = view.byte(at + 1)
    const length = view.short(at + 2)
    if (marker === 0xe0 && view.text(at + 4, at + 9) === 'JFIF\0') {
      const unit = densityUnits[view.byte(at + 11)] ?? ''
      const version = `${view.byte(at + 9)}.${String(view.byte(at + 10)).padStart(2, '0')}`
      shown += `, JFIF standard ${version}, ${unit}, density ${view.short(at + 12)}x${view.short(at + 14)}, segment length ${length}`
    } else if (marker === 0xe1 && view.text(at + 4, at + 8) === 'Exif')
      shown += `, Exif Standard: [${describeTiff(view, at + 10)}]`
    else if (marker === 0xfe) shown += `, comment: "${view.text(at + 4, at + 2 + length).replace(/\0[^]*/, '')}"`
    else if (frames[marker] !== undefined) {
      const size = `${view.short(at + 7)}x${view.short(at + 5)}`
      return `${shown}, ${frames[marker]}, precision ${view.byte(at + 4)}, ${size}, components ${view.byte(at + 9)}`
    } else if (marker === 0xda) break
    at += 2 + length
  }
  return shown
}

const orientations = [
  '',
  'upper-left',
  'upper-right',
  'lower-right',
  'lower-left',
  'left-top',
  'right-top',
  'right-bottom',
  'left-bottom',
]

const compressions: Readonly<Record<number, string>> = {
  1: 'none',
  5: 'LZW',
  6: 'JPEG (old)',
  7: 'JPEG',
  8: 'deflate',
  0x8005: 'PackBits (Macintosh RLE)',
}

const photometrics = ['WhiteIsZero', 'BlackIsZero', 'RGB', 'RGB Palette', 'Transparency Mask', 'CMYK', 'YCbCr']

/** The entries of the first directory, as far as their values are words or small numbers. */
export function describeTiff(view: BinaryView, start = 0): string {
  const isLittle = view.text(start, start + 2) === 'II'
  const directory = start + view.long(start + 4, isLittle)
  const entries = view.short(directory, isLittle)
  let shown = `TIFF image data, ${isLittle ? 'little' : 'big'}-endian, direntries=${entries}`
  let width = ''
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12
    const type = view.short(entry + 2, isLittle)
    const value = type === 3 ? view.short(entry + 8, isLittle) : view.long(entry + 8, isLittle)
    const text = (): string => view.text(start + value, start + value + view.long(entry + 4, isLittle)).replace(/\0[^]*/, '')
    const tag = view.short(entry, isLittle)
    const shownEntry = tiffEntry(tag, value, text)
    if (tag === 0x100) width = `, width=${value}`
    if (shownEntry !== undefined) shown += `, ${shownEntry}`
  }
  return shown + width
}

const named: Readonly<Record<number, string>> = {
  0x102: 'bps',
  0x10e: 'description',
  0x10f: 'manufacturer',
  0x110: 'model',
  0x11a: 'xresolution',
  0x11b: 'yresolution',
  0x128: 'resolutionunit',
  0x131: 'software',
  0x132: 'datetime',
}

function tiffEntry(tag: number, value: number, text: () => string): string | undefined {
  if (tag === 0x101) return `height=${value}`
  if (tag === 0x103) return compressions[value] === undefined ? undefined : `compression=${compressions[value]}`
  if (tag === 0x106) return photometrics[value] === undefined ? undefined : `PhotometricInterpretation=${photometrics[value]}`
  if (tag === 0x112) return `orientation=${orientations[value] ?? ''}`
  const name = named[tag]
  if (name === undefined) return undefined
  return `${name}=${[0x10e, 0x10f, 0x110, 0x131, 0x132].includes(tag) ? text() : value}`
}

export function describeBitmap(view: BinaryView): string {
  const [header, size] = [view.long(14, true), view.long(2, true)]
  if (header === 12)
    return `PC bitmap, OS/2 1.x format, ${view.short(18, true)} x ${view.short(20, true)}, cbSize ${size}, bits offset ${view.long(10, true)}`
  const version: Readonly<Record<number, string>> = { 40: '3.x', 108: '4.x', 124: '98/2000 and newer' }
  const signed = (offset: number): number => view.long(offset, true) | 0
  const imageSize = view.long(34, true)
  const [across, down] = [signed(38), signed(42)]
  return [
    `PC bitmap, Windows ${version[header] ?? '3.x'} format, ${signed(18)} x ${signed(22)} x ${view.short(28, true)}`,
    ...(imageSize > 0 ? [`image size ${imageSize}`] : []),
    ...(across !== 0 ? [`resolution ${across} x ${down} px/m`] : []),
    ...(view.long(46, true) > 0 ? [`${view.long(46, true)} important colors`] : []),
    `cbSize ${size}`,
    `bits offset ${view.long(10, true)}`,
  ].join(', ')
}

export function describeIcon(view: BinaryView): string {
  const count = view.short(4, true)
  const one = (at: number): string => {
    const [width, height] = [view.byte(at) || 256, view.byte(at + 1) || 256]
    const colors = view.byte(at + 2) === 0 ? '' : `, ${view.byte(at + 2)} colors`
    const offset = view.long(at + 12, true)
    const png = view.text(offset + 1, offset + 4) === 'PNG' ? ` with ${describePng(view, offset)}` : ''
    const bits = view.short(at + 6, true)
    return `, ${width}x${height}${png}${colors}${bits > 0 ? `, ${bits} bits/pixel` : ''}`
  }
  return `MS Windows icon resource - ${count} icon${count === 1 ? '' : 's'}${one(6)}${count > 1 ? one(22) : ''}`
}

export function describeWebP(view: BinaryView): string {
  const kind = view.text(12, 16)
  const begin = 'RIFF (little-endian) data, Web/P image'
  if (kind === 'VP8 ' && view.length >= 30) {
    const scaling = (at: number): string => `${view.byte(at) >> 6 === 0 ? '[none]' : view.byte(at) >> 6}`
    const size = `${view.short(26, true) & 0x3fff}x${view.short(28, true) & 0x3fff}`
    return `${begin}, VP8 encoding, ${size}, Scaling: ${scaling(27)}x${scaling(29)}, YUV color, decoders should clamp`
  }
  return begin
}
