// `-z`: the formats that rg unpacks, by the name of the file. Loaded on first use.

import { bunzip2 } from '../../codec/bzip2.ts'
import { uncompress } from '../../codec/compress.ts'
import { CodecError } from '../../codec/error.ts'
import { gunzip } from '../../codec/gzip.ts'
import { unlz4 } from '../../codec/lz4.ts'
import { unlzma } from '../../codec/lzma.ts'
import { unxz } from '../../codec/xz.ts'
import { unzstd } from '../../codec/zstd.ts'
import { ownValue } from '../../core/record.ts'
import type { Unpack } from './text-of-file.ts'

const maxUnpackedBytes = 256 * 1024 * 1024

type Decoder = (packed: Uint8Array, maxBytes: number) => Uint8Array

const decoders: Readonly<Record<string, Decoder>> = {
  gz: gunzip,
  tgz: gunzip,
  bz2: bunzip2,
  tbz2: bunzip2,
  xz: unxz,
  txz: unxz,
  lzma: unlzma,
  lz4: unlz4,
  zst: unzstd,
  zstd: unzstd,
  Z: uncompress,
}

export const unpack: Unpack = (name, bytes) => {
  const extension = name.slice(name.lastIndexOf('.') + 1)
  if (extension === 'br') return { kind: 'problem', message: `${name}: brotli is not decoded here; unpack the file first` }
  const decode = name.includes('.') ? ownValue(decoders, extension) : undefined
  if (decode === undefined) return { kind: 'text', bytes }
  try {
    return { kind: 'text', bytes: decode(bytes, maxUnpackedBytes) }
  } catch (error) {
    if (error instanceof CodecError) return { kind: 'problem', message: `${name}: ${error.message}` }
    throw error
  }
}
