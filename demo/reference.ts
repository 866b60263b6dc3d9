// The reference page looks as the demo was left: light, dark or as the system.

import { applyTheme, loadTheme } from './theme.ts'

applyTheme(loadTheme())
