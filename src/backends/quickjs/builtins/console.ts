// The module `console`.

export const consoleModule: string = String.raw`(function (exports, require, module, internal) {
'use strict'
const { format, inspect } = require('util')
let indentation = ''
const counts = new Map()
const times = new Map()
const write = (channel, text) =>
  internal.print(channel, (indentation === '' ? text : indentation + text.replaceAll('\n', '\n' + indentation)) + '\n')
const log = (...args) => write('stdout', format(...args))
const warn = (...args) => write('stderr', format(...args))
const elapsed = label => label + ': ' + (performance.now() - (times.get(label) ?? performance.now())).toFixed(3) + 'ms'
Object.assign(exports, {
  log, info: log, debug: log, warn, error: warn,
  trace: (...args) => {
    const error = new Error(format(...args))
    error.name = 'Trace'
    write('stderr', 'Trace: ' + error.message + error.stack.replace(/^.*?(?=\n    at )/s, ''))
  },
  dir: (value, options) => write('stdout', inspect(value, options)),
  dirxml: log,
  table: value => write('stdout', inspect(value)),
  assert: (condition, ...args) => { if (!condition) warn(...(typeof args[0] === 'string' ? ['Assertion failed: ' + args[0], ...args.slice(1)] : ['Assertion failed', ...args])) },
  group: (...args) => { if (args.length > 0) log(...args); indentation += '  ' },
  groupEnd: () => { indentation = indentation.slice(2) },
  count: (label = 'default') => { counts.set(label, (counts.get(label) ?? 0) + 1); log(label + ': ' + counts.get(label)) },
  countReset: (label = 'default') => { counts.delete(label) },
  time: (label = 'default') => { times.set(label, performance.now()) },
  timeLog: (label = 'default', ...args) => log(elapsed(label), ...args),
  timeEnd: (label = 'default') => { log(elapsed(label)); times.delete(label) },
})
exports.groupCollapsed = exports.group
})`
