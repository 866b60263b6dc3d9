// A small web IDE in one file: an editor, a tree and a terminal for a person, and an agent that works on the same files. Its turns are
// approved, shown while they happen, and undone without what the person typed meanwhile. A helper works in a fork that is reviewed.

import { history, historyKeymap } from '@codemirror/commands'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { Terminal } from '@xterm/xterm'
import xtermStyle from '@xterm/xterm/css/xterm.css?inline'
import type { Actor, ApprovalAnswer, Buffer } from 'anchorage'
import { connectWorkspace, createWorker } from 'anchorage/client'
import { bufferExtension } from 'anchorage/editors/codemirror'
import { memory } from 'anchorage/fs/memory'
import { showShell } from 'anchorage/terminal'
import ownStyle from './ide.css?inline'
import { withSheets } from './terminal/strict-styles.ts'

const person: Actor = { kind: 'person', name: 'Ada' }
const agent: Actor = { kind: 'agent', name: 'main' }
const files = {
  'src/greet.ts': "export function greet(name: string): string {\n  return 'hello ' + name\n}\n",
  'src/main.ts': "import { greet } from './greet.ts'\n\nconsole.log(greet('world'))\n",
  'notes.md': '# Notes\n',
}

const root = (document.querySelector('#ide') ?? document.body).attachShadow({ mode: 'open' })
root.adoptedStyleSheets = [xtermStyle, ownStyle].map(text => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
})

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

const tree = element('nav', { ariaLabel: 'Files' })
const editorPlace = element('div', { id: 'editor' })
const terminalPlace = element('div', { id: 'terminal' })
const question = element('section', { ariaLabel: 'Question' })
const log = element('ol', { reversed: true, ariaLabel: 'What happened' })
const bar = element('header', {}, element('h1', {}, 'A small IDE'))
root.append(bar, tree, editorPlace, terminalPlace, element('aside', {}, question, log))
const tell = (text: string): void => log.prepend(element('li', {}, text))

const shownLine = (line: string): Node =>
  element('span', { className: { '+': 'added', '-': 'removed' }[line.charAt(0)] ?? '' }, line)

/** Shows what is to be done, and resolves with the person's answer. */
function ask(title: string, diff: string | undefined): Promise<'allow' | { readonly deny: string }> {
  return new Promise(resolve => {
    const answer = (label: string, value: 'allow' | { readonly deny: string }): HTMLButtonElement =>
      element('button', { onclick: () => (question.replaceChildren(), resolve(value)) }, label)
    question.replaceChildren(
      element('h2', {}, title),
      element('pre', { tabIndex: 0 }, ...(diff ?? '').split(/(?<=\n)/).map(shownLine)),
      answer('Allow', 'allow'),
      answer('Deny', { deny: 'The person does not want it.' }),
    )
  })
}

const workspace = await connectWorkspace(createWorker, {
  fs: memory(files),
  history: true,
  buffers: { edits: 'save-clean', commands: 'save' },
  policy: {
    rules: [{ tool: 'bash', action: 'ask' }],
    approve: async ({ actor, tool, arguments: args, diff }): Promise<ApprovalAnswer> =>
      await ask(`${actor.name ?? 'An agent'} wants to run ${tool}`, diff ?? JSON.stringify(args, undefined, 2)),
  },
})

let open: { readonly buffer: Buffer; readonly view: EditorView } | undefined

async function openFile(path: string): Promise<void> {
  await open?.buffer.save()
  await open?.buffer.close()
  open?.view.destroy()
  const buffer = await workspace.buffers.open(path)
  const label = EditorView.contentAttributes.of({ 'aria-label': path })
  const save = { key: 'Mod-s', preventDefault: true, run: () => (void buffer.save().then(() => tell(`Saved ${path}`)), true) }
  const extensions = [label, lineNumbers(), history(), keymap.of([save, ...historyKeymap]), bufferExtension(buffer)]
  open = { buffer, view: new EditorView({ doc: buffer.text, extensions, parent: editorPlace, root }) }
  await showTree()
}

async function showTree(): Promise<void> {
  const paths: string[] = []
  for await (const { path, kind } of workspace.fs.walk(workspace.root)) if (kind === 'file') paths.push(path)
  tree.replaceChildren(
    ...paths.sort().map(path => {
      const button = element('button', { onclick: () => void openFile(path) }, path.slice(workspace.root.length + 1))
      if (path === open?.buffer.path) button.ariaCurrent = 'true'
      return button
    }),
  )
}

/** A button that works until its work is done. */
function action(label: string, work: () => Promise<void>): void {
  const button = element('button', {}, label)
  button.onclick = async () => {
    button.disabled = true
    await work().catch((error: unknown) => tell(String(error)))
    button.disabled = false
  }
  bar.append(button)
}

let turn = 0
action('Agent turn', async () => {
  const tools = await workspace.toolset('ah', { actor: agent })
  const context = { turn: `turn ${++turn}` }
  const edit = { path: 'src/greet.ts', old_string: "'hello '", new_string: "'Hello, '" }
  const results = [await tools.call('edit', edit, context)]
  results.push(
    await tools.call(
      'bash',
      { command: "echo '- greet politely' >> notes.md && mkdir -p copies && cp notes.md copies/" },
      context,
    ),
  )
  tell(`The agent's turn: ${results.map(({ isError }) => (isError ? 'refused' : 'done')).join(', ')}`)
  await tools.close()
})
action('Undo turn', async () => {
  const { restored, merged, conflicts } = await workspace.history.undo({ turn: `turn ${turn}` }, { actor: person })
  tell(`Undone: ${restored.length} restored, ${merged.length} merged, ${conflicts.length} left`)
})
action('Helper in a fork', async () => {
  const fork = await workspace.fork({ actor: { kind: 'agent', name: 'helper' } })
  const tools = await fork.toolset('ah', { policy: {} })
  await tools.call('bash', { command: "sed -i 's/world/everyone/' src/main.ts && rm notes.md" })
  const { outcome, applied } = await fork.merge({ review: ({ diff }) => ask('Merge what helper did?', diff) })
  tell(`The fork: ${outcome}, ${applied.length} files`)
  await fork.dispose()
})

await workspace.fs.watch(workspace.root, () => void showTree())
await openFile(`${workspace.root}/src/greet.ts`)
// By default xterm's grey is too dark to read on black.
const terminal = new Terminal({ screenReaderMode: true, fontSize: 13, rows: 12, theme: { brightBlack: '#a0a0a0' } })
withSheets(root, () => terminal.open(terminalPlace))
const shell = await workspace.shell.open({ actor: person, columns: terminal.cols, rows: terminal.rows })
showShell(terminal, shell, { root: workspace.root, files: workspace.fs, onOpenFile: ({ path }) => void openFile(path) })
tell('Ready')
