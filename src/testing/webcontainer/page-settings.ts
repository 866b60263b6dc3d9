// The client builds the address of its frame itself, so the settings are stored where both pages can read them.

import type { QuirkSettings } from './quirks.ts'

const place = 'anchorageStandIn'

export function keepSettings(page: object, settings: QuirkSettings): void {
  Reflect.set(page, place, settings)
}

export function settingsOf(page: object): QuirkSettings {
  return (Reflect.get(page, place) ?? {}) as QuirkSettings
}
