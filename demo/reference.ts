// The reference page uses the theme that was chosen in the demo.

import { applyTheme, loadTheme } from './theme.ts'

applyTheme(loadTheme())
