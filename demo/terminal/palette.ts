// The terminal's colours: background and text come from the page, and the sixteen ECMA-48 colours are readable on both backgrounds.

import type { ITheme } from '@xterm/xterm'

const light: ITheme = {
  black: '#182328',
  red: '#a3202c',
  green: '#116329',
  yellow: '#7a5200',
  blue: '#1b56a8',
  magenta: '#8a2a7c',
  cyan: '#0b6478',
  white: '#53626a',
  brightBlack: '#53626a',
  brightRed: '#a3202c',
  brightGreen: '#116329',
  brightYellow: '#7a5200',
  brightBlue: '#1b56a8',
  brightMagenta: '#8a2a7c',
  brightCyan: '#0b6478',
  brightWhite: '#182328',
}

const dark: ITheme = {
  black: '#94a4ad',
  red: '#f4928f',
  green: '#6fd08c',
  yellow: '#e6c161',
  blue: '#8ab8ff',
  magenta: '#e3a1d8',
  cyan: '#63c5d8',
  white: '#dbe4e8',
  brightBlack: '#94a4ad',
  brightRed: '#f4928f',
  brightGreen: '#6fd08c',
  brightYellow: '#e6c161',
  brightBlue: '#8ab8ff',
  brightMagenta: '#e3a1d8',
  brightCyan: '#63c5d8',
  brightWhite: '#ffffff',
}

/** The colours that apply at `element`. */
export function paletteOf(element: HTMLElement): ITheme {
  const { color, backgroundColor, colorScheme, outlineColor } = getComputedStyle(element)
  const isDark =
    colorScheme.includes('light') && colorScheme.includes('dark') ? prefersDark.matches : colorScheme.includes('dark')
  return {
    ...(isDark ? dark : light),
    foreground: color,
    background: backgroundColor,
    cursor: outlineColor,
    cursorAccent: backgroundColor,
    selectionBackground: isDark ? '#2a5665' : '#b9dde5',
  }
}

export const prefersDark: MediaQueryList = matchMedia('(prefers-color-scheme: dark)')
