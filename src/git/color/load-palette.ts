// Colors are loaded by the first command that writes them.

import type { Repository } from '../repository.ts'
import type { Palette } from './palette.ts'

export async function paletteOf(repository: Repository): Promise<Palette> {
  const { Palette } = await import('./painting.ts')
  return new Palette(repository.config())
}
