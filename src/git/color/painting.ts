// All that writes colors, loaded together with the first colored line.

export { paintedDecorations } from './painted-decorations.ts'
export { newBlankEnd, paintedCombined, paintedHead, paintedHunks, whitespaceRules, wordPaint } from './painted-patch.ts'
export { Palette, parseColor, resetColor } from './palette.ts'
