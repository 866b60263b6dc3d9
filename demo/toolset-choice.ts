// Which toolset the page plays, remembered like the theme.

import type { ToolsetName } from 'anchorage'
import { toolsetNames } from './scripts/scripts.ts'

const storageKey = 'anchorage-demo-toolset'

export function loadToolsetName(): ToolsetName {
  try {
    const stored = localStorage.getItem(storageKey)
    return toolsetNames.find(name => name === stored) ?? 'atomic'
  } catch {
    // Storage is off in this browser: the first one is as good a start.
    return 'atomic'
  }
}

export function saveToolsetName(name: ToolsetName): void {
  try {
    localStorage.setItem(storageKey, name)
  } catch {
    // It is forgotten with the page then, which is what such a browser asks for.
  }
}
