// Which colours to use: the system's, unless a person chose otherwise here before.

export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']

const storageKey = 'anchorage-demo-theme'

export function loadTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return themes.find(theme => theme === stored) ?? 'system'
  } catch {
    // Storage is off in this browser: the system's theme is as good a start.
    return 'system'
  }
}

/** Shows `theme` and remembers it where the browser allows that. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // It is forgotten with the page then, which is what such a browser asks for.
  }
}
