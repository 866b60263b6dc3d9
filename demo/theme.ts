// The theme of the page: the system's, unless the person has chosen another one here before.

export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']

const storageKey = 'anchorage-demo-theme'

export function loadTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return themes.find(theme => theme === stored) ?? 'system'
  } catch {
    // Storage is off in this browser, so the page starts with the system's theme.
    return 'system'
  }
}

/** Shows `theme`, and stores it where the browser allows that. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
}
