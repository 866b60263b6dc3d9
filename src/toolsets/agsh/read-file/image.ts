import { ToolError } from '../../../core/errors.ts'
import type { VfsPath } from '../../../core/path.ts'
import { base64 } from '../../../resources/image/base64.ts'
import { ImageError } from '../../../resources/image/pixels.ts'
import { mimeTypeOf, sniffImage, type ImageFormat } from '../../../resources/image/sniff.ts'
import type { Session } from '../../../session/session.ts'
import type { ToolOutcome } from '../../../session/tool.ts'
import type { Stat } from '../../../vfs/backend.ts'
import { imageMaxBytes } from '../limits.ts'

interface ImageFile {
  readonly path: VfsPath
  readonly display: string
  readonly stat: Stat
}

/** `named` is the type by the file's name; the type by its bytes takes precedence. Throws `ToolError`: `image-…`. */
export async function readImage(session: Session, file: ImageFile, named: ImageFormat): Promise<ToolOutcome> {
  if (file.stat.sizeBytes > session.limits.textMaxBytes) throw tooLarge(file.display, 'image', file.stat.sizeBytes)
  const bytes = await session.vfs.readFile(file.path)
  const format = sniffImage(bytes) ?? named
  const shownType = mimeTypeOf(format)
  if (shownType !== undefined && bytes.length > imageMaxBytes) throw tooLarge(file.display, 'image', bytes.length)
  const shown = shownType === undefined ? await convert(file.display, bytes, format) : bytes
  const mimeType = shownType ?? 'image/png'
  return {
    content: [
      { type: 'text', text: `[Image: ${file.display}]` },
      { type: 'image', data: base64(shown), mimeType },
    ],
    details: {
      path: file.display,
      mimeType,
      sizeBytes: shown.length,
      ...(shownType === undefined ? { convertedFrom: format } : {}),
    },
  }
}

async function convert(display: string, bytes: Uint8Array, format: ImageFormat): Promise<Uint8Array> {
  const { convertToPng } = await import('../../../resources/image/convert.ts')
  try {
    const png = await convertToPng(bytes, format)
    if (png.length > imageMaxBytes) throw tooLarge(display, 'converted image', png.length)
    return png
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    throw new ToolError(error.code, `image '${display}': failed to decode ${format} image: ${error.message}.`, {
      nextStep: 'Ask the user for the image as PNG.',
      details: { path: display, format },
      cause: error,
    })
  }
}

function tooLarge(display: string, what: string, sizeBytes: number): ToolError {
  return new ToolError(
    'image-too-large',
    `image '${display}': ${what} is too large (${sizeBytes} bytes, max ${imageMaxBytes} bytes / ~5MB base64).`,
    { nextStep: 'Ask the user for a smaller one.', details: { path: display, sizeBytes } },
  )
}
