// The toolset that the page plays, remembered like the theme.

import type { ToolsetName } from 'anchorage'
import { toolsetNames } from './scripts/scripts.ts'

const storageKey = 'anchorage-demo-toolset'

export function loadToolsetName(): ToolsetName {
  try {
    const stored = localStorage.getItem(storageKey)
    return toolsetNames.find(name => name === stored) ?? 'atomic'
  } catch {
    // Storage is off in this browser, so the page starts with the first toolset.
    return 'atomic'
  }
}

export function saveToolsetName(name: ToolsetName): void {
  try {
    localStorage.setItem(storageKey, name)
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
}
