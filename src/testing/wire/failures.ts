// One example of every kind of thrown value, by name: the same value must arrive on the other side.

import { AnchorageError, ToolError } from '../../core/errors.ts'
import { VfsError } from '../../vfs/error.ts'

export const failures: Readonly<Record<string, unknown>> = {
  vfs: new VfsError('ENOENT', 'open', { path: '/a', hint: 'closest: /b' }),
  rename: new VfsError('EXDEV', 'rename', { path: '/a', dest: '/b/c' }),
  tool: new ToolError('not-unique', 'it is there twice', { nextStep: 'Say more.', details: { count: 2 } }),
  anchorage: new AnchorageError('walk-limit', 'too many', { details: { at: 3 }, cause: new RangeError('deep') }),
  type: new TypeError('not a function'),
  abort: new DOMException('stop it', 'AbortError'),
  timeout: new DOMException('took too long', 'TimeoutError'),
  text: 'just text',
  nothing: undefined,
  data: { code: 7, list: [1, 2] },
  function: () => 'not cloneable',
  unknown: Object.assign(new Error('odd'), { name: 'CustomError', code: 'E_ODD' }),
  live: new AnchorageError('live', 'details that cannot be sent', { details: { kept: 1, dropped: () => 1 } }),
}
