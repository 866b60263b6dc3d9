import { expect, it } from 'vitest'

import { findElision } from './elision.ts'

it.each([
  '// ... existing code ...',
  '  // ... rest of the function',
  '# ... remaining lines unchanged',
  '/* ... existing imports ... */',
  '<!-- ... rest of the file ... -->',
  '… unchanged …',
  '    ... existing code ...',
  '// rest of the code...',
  '# existing code ...',
])('%j stands for lines that were left out', line => {
  expect(findElision(`a\n${line}\r\nb`, 'x')).toBe(line)
  expect(findElision(`a\n${line}`, ` ${line.trim()}\n`)).toBeUndefined()
})

it.each(['f(...args)', '// see the rest of the docs', 'const other = [...more]', 'print("...")', '# ...', 'return rest'])(
  '%j is code',
  line => expect(findElision(line, '')).toBeUndefined(),
)
