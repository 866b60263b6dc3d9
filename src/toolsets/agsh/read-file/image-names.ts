// The file names that read_file treats as images, as agsh's document lists them. Every other file is text.

import { ownValue } from '../../../core/record.ts'
import type { ImageFormat } from '../../../resources/image/sniff.ts'

const formats: Readonly<Record<string, ImageFormat>> = {
  png: 'png',
  apng: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  jfif: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  bmp: 'bmp',
  tif: 'tiff',
  tiff: 'tiff',
  ico: 'ico',
  hdr: 'hdr',
  exr: 'exr',
  tga: 'tga',
  pbm: 'pnm',
  pgm: 'pnm',
  ppm: 'pnm',
  pnm: 'pnm',
  pam: 'pnm',
  qoi: 'qoi',
  dds: 'dds',
  ff: 'farbfeld',
  farbfeld: 'farbfeld',
}

export function formatByName(path: string): ImageFormat | undefined {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return ownValue(formats, extension)
}
