// The page: names its elements in one place. Importing a component defines nothing, because this package tells bundlers
// that its modules have no side effects.

import { CallCard } from './components/call-card.ts'
import { ChangesView } from './components/changes-view.ts'
import { CodePanel } from './components/code-panel.ts'
import { DemoApp } from './components/demo-app.ts'
import { FileTree } from './components/file-tree.ts'
import { FileView } from './components/file-view.ts'
import { HandForm } from './components/hand-form.ts'
import { PersonCard } from './components/person-card.ts'
import { ResultText } from './components/result-text.ts'
import { SessionPanel } from './components/session-panel.ts'
import { SourceControlView } from './components/source-control-view.ts'
import { TerminalView } from './components/terminal-view.ts'
import { ThemeSwitch } from './components/theme-switch.ts'
import { ToolsetSwitch } from './components/toolset-switch.ts'
import { applyTheme, loadTheme } from './theme.ts'

const elements: Readonly<Record<string, CustomElementConstructor>> = {
  'anchorage-demo': DemoApp,
  'call-card': CallCard,
  'changes-view': ChangesView,
  'code-panel': CodePanel,
  'file-tree': FileTree,
  'file-view': FileView,
  'hand-form': HandForm,
  'person-card': PersonCard,
  'result-text': ResultText,
  'session-panel': SessionPanel,
  'source-control-view': SourceControlView,
  'terminal-view': TerminalView,
  'theme-switch': ThemeSwitch,
  'toolset-switch': ToolsetSwitch,
}

applyTheme(loadTheme())
for (const [name, element] of Object.entries(elements)) customElements.define(name, element)
