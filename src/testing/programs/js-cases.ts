// Programs for the command `js`, with what they print. Node runs them too, and must print the same.

import type { ProgramCase, ProgramFiles, ProgramRefusal } from './program-case.ts'

export const jsFiles: ProgramFiles = {
  'a.txt': 'one\ntwo\n',
  'args.js': 'console.log(process.argv.slice(2), process.cwd() === __dirname, require.main === module)',
  'lib/add.js': 'exports.add = (a, b) => a + b\nexports.here = __filename.split("/").slice(-2).join("/")',
  'lib/index.js': 'module.exports = { name: "lib", ...require("./add") }',
  'data.json': '{ "list": [1, 2, 3] }',
  'main.js':
    'const { add, here, name } = require("./lib")\nconst data = require("./data.json")\nconsole.log(add(1, 2), here, name, data.list)',
  'sum.mjs': 'export default (...n) => n.reduce((a, b) => a + b)\nexport const one = 1',
  'main.mjs':
    'import fs, { existsSync } from "node:fs"\nimport sum, { one } from "./sum.mjs"\nimport lib from "./lib/index.js"\n' +
    'import { fileURLToPath } from "node:url"\nconst { default: again } = await import("./sum.mjs")\n' +
    'console.log(sum(one, 2), lib.name, existsSync("a.txt"), fs.existsSync("none"), again === sum, fileURLToPath(import.meta.url).endsWith("/main.mjs"))',
  'esm/package.json': '{ "type": "module" }',
  'esm/main.js': 'import { readFile } from "fs/promises"\nconsole.log((await readFile("a.txt", "utf8")).length)',
  'node_modules/pack/package.json': '{ "name": "pack", "main": "lib/start" }',
  'node_modules/pack/lib/start.js': 'module.exports = "packed"',
  'node_modules/@a/b/package.json': '{ "exports": { ".": { "import": "./m.mjs", "require": "./c.js" }, "./x": "./x.js" } }',
  'node_modules/@a/b/m.mjs': 'export default "imported"',
  'node_modules/@a/b/c.js': 'module.exports = "required"',
  'node_modules/@a/b/x.js': 'module.exports = "below"',
  'bad.js': 'const a = 1\nconst = 2\n',
  'hash.js': '#!/usr/bin/env node\nconsole.log("hash")',
  'circle/a.js': 'exports.early = 1\nconst b = require("./b")\nexports.late = b.seen',
  'circle/b.js': 'exports.seen = require("./a").early',
}

const program = (code: string, stdout: string, rest: Partial<ProgramCase> = {}): ProgramCase => ({
  args: ['-e', code],
  stdout,
  ...rest,
})
const value = (code: string, stdout: string): ProgramCase => ({ args: ['-p', code], stdout: `${stdout}\n` })

export const jsCases: Readonly<Record<string, ProgramCase>> = {
  'arguments of a file': { args: ['args.js', 'x', '-y'], stdout: "[ 'x', '-y' ] true true\n" },
  'arguments of a text': program('console.log(process.argv.slice(1))', "[ 'q' ]\n", {
    args: ['-e', 'console.log(process.argv.slice(1))', 'q'],
  }),
  'a program on standard input': { args: [], input: 'console.log("from input")', stdout: 'from input\n' },
  'a program on standard input, with arguments': {
    args: ['-', 'z'],
    input: 'console.log(process.argv[2])',
    stdout: 'z\n',
  },
  'standard input as a file': program('console.log(fs.readFileSync(0, "utf8").split("\\n").length)', '3\n', { input: 'a\nb\n' }),
  'standard input as events': program(
    'let s = ""; process.stdin.setEncoding("utf8"); process.stdin.on("data", d => s += d).on("end", () => console.log(s.length))',
    '5\n',
    { input: 'abcd\n' },
  ),
  'standard input as an iterable': program(
    '(async () => { let n = 0; for await (const part of process.stdin) n += part.length; console.log(n) })()',
    '6\n',
    { input: 'abcde\n' },
  ),
  'standard input line by line': program(
    'const r = require("readline").createInterface({ input: process.stdin }); r.on("line", l => console.log("<" + l + ">")); r.on("close", () => console.log("end"))',
    '<a>\n<b>\nend\n',
    { input: 'a\nb\n' },
  ),
  'lines as an iterable': program(
    '(async () => { for await (const l of require("readline").createInterface({ input: process.stdin })) console.log(l) })()',
    'a\nb\n',
    { input: 'a\nb' },
  ),
  'CommonJS modules': { args: ['main.js'], stdout: '3 lib/add.js lib [ 1, 2, 3 ]\n' },
  'ECMAScript modules': { args: ['main.mjs'], stdout: '3 lib true false true true\n' },
  'a package of ECMAScript modules': { args: ['esm/main.js'], stdout: '8\n' },
  'modules of packages': program('console.log(require("pack"), require("@a/b"), require("@a/b/x"))', 'packed required below\n'),
  'a package that is imported': program('import("@a/b").then(m => console.log(m.default))', 'imported\n'),
  'modules that require each other': program('console.log(require("./circle/a"))', '{ early: 1, late: 1 }\n'),
  'a file without its extension': { args: ['main'], stdout: '3 lib/add.js lib [ 1, 2, 3 ]\n' },
  'a text with import': program('import { sep } from "path"; console.log(sep)', '/\n', {
    args: ['--input-type=module', '-e', 'import { sep } from "path"; console.log(sep)'],
  }),
  'a line for the shell': { args: ['hash.js'], stdout: 'hash\n' },
  'a missing file': { args: ['nope.js'], stdout: '', code: 1, complaint: "Cannot find module '/w/nope.js'" },
  'a missing module': program('require("./nope")', '', { code: 1, complaint: "Cannot find module './nope'" }),
  'a syntax error': { args: ['bad.js'], stdout: '', code: 1, complaint: '/w/bad.js:2:7' },
  'a check for syntax errors': { args: ['--check', 'bad.js'], stdout: '', code: 1, complaint: 'SyntaxError' },
  'a check without errors': { args: ['--check', 'main.mjs'], stdout: '' },
  'an uncaught error': program('function f() { throw new TypeError("no") }\nconsole.log(1)\nf()', '1\n', {
    code: 1,
    complaint: 'TypeError: no\n    at f ([eval]:1:',
  }),
  'an uncaught rejection': program(
    'async function main() { await null; throw new Error("late") }\nmain()\nsetTimeout(() => console.log(9), 50)',
    '',
    {
      code: 1,
      complaint: 'Error: late\n    at main ([eval]:1:',
    },
  ),
  'a rejection that is caught': program('Promise.reject(new Error("x")).catch(e => console.log(e.message))', 'x\n'),
  'a rejection that is caught later': program(
    'const p = Promise.reject(1); Promise.resolve().then(() => p.catch(e => console.log("caught", e)))',
    'caught 1\n',
  ),
  'an error that is listened for': program(
    'process.on("uncaughtException", e => console.log("heard", e.message)); setTimeout(() => console.log("on"), 5); throw new Error("x")',
    'heard x\non\n',
  ),
  'an exit code': program('process.exitCode = 4; console.log("still")', 'still\n', { code: 4 }),
  'an exit': program('try { process.exit(3) } catch { console.log("caught") } finally { console.log("finally") }', '', {
    code: 3,
  }),
  'an exit that is heard': program(
    'process.on("exit", code => console.log("bye", code)); setInterval(() => process.exit(2), 1)',
    'bye 2\n',
    { code: 2 },
  ),
  'timers in order': program(
    'setTimeout(() => console.log(3), 20); setTimeout(() => console.log(2), 1); setImmediate(() => 0); Promise.resolve().then(() => console.log(1)); console.log(0)',
    '0\n1\n2\n3\n',
  ),
  'an interval that is cleared': program(
    'let n = 0; const t = setInterval(() => { console.log(++n); if (n === 3) clearInterval(t) }, 1)',
    '1\n2\n3\n',
  ),
  'a timer that holds nothing': program('setTimeout(() => console.log("never"), 60000).unref(); console.log("now")', 'now\n'),
  'top-level await that never ends': {
    args: ['--input-type=module', '-e', 'await new Promise(() => {})'],
    stdout: '',
    code: 13,
    complaint: 'unsettled top-level await',
  },
  'the environment': program('console.log(process.env.GREETING, process.env.NONE)', 'hi undefined\n'),
  'files are written': program(
    'fs.mkdirSync("d/e", { recursive: true }); fs.writeFileSync("d/e/f.txt", "x\\0é"); fs.appendFileSync("d/e/f.txt", "!"); fs.renameSync("d/e/f.txt", "d/g.txt"); fs.copyFileSync("d/g.txt", "d/h.txt"); console.log(fs.readdirSync("d"), fs.readFileSync("d/h.txt"), fs.statSync("d/g.txt").size)',
    "[ 'e', 'g.txt', 'h.txt' ] <Buffer 78 00 c3 a9 21> 5\n",
  ),
  'files are removed': program(
    'fs.mkdirSync("r/s", { recursive: true }); fs.writeFileSync("r/s/t", ""); try { fs.rmdirSync("r") } catch (e) { console.log(e.code) } fs.rmSync("r", { recursive: true }); fs.rmSync("r", { force: true }); try { fs.unlinkSync("r") } catch (e) { console.log(e.code, e.syscall) } console.log(fs.existsSync("r"))',
    'ENOTEMPTY\nENOENT unlink\nfalse\n',
  ),
  'files with promises': program(
    '(async () => { const { readFile, writeFile, readdir } = fs.promises; await writeFile("p.txt", "p"); console.log(await readFile("p.txt", "utf8"), (await readdir("lib")).join()); await readFile("none").catch(e => console.log(e.code)) })()',
    'p add.js,index.js\nENOENT\n',
  ),
  'files with callbacks': program(
    'fs.readFile("a.txt", "utf8", (e, t) => { console.log(e, t.length); fs.readFile("none", e => console.log(e.code)) })',
    'null 8\nENOENT\n',
  ),
  'entries and their kinds': program(
    'fs.symlinkSync("a.txt", "link"); for (const e of fs.readdirSync(".", { withFileTypes: true })) if (/^(a.txt|lib|link)$/.test(e.name)) console.log(e.name, e.isFile(), e.isDirectory(), e.isSymbolicLink()); console.log(fs.readlinkSync("link"), fs.lstatSync("link").isSymbolicLink(), fs.statSync("link").isFile(), fs.statSync("none", { throwIfNoEntry: false }))',
    'a.txt true false false\nlib false true false\nlink false false true\na.txt true true undefined\n',
  ),
  'a file that must be new': program(
    'try { fs.writeFileSync("a.txt", "", { flag: "wx" }) } catch (e) { console.log(e.code) } console.log(fs.readFileSync("a.txt", "utf8").length)',
    'EEXIST\n8\n',
  ),
  'directories are copied': program(
    'fs.cpSync("lib", "copy", { recursive: true }); console.log(fs.readdirSync("copy").join(), require("./copy").name)',
    'add.js,index.js lib\n',
  ),
  'an error of files': program('fs.readFileSync("none/x")', '', {
    code: 1,
    complaint: "ENOENT: no such file or directory, open '/w/none/x'",
  }),
  'values of all kinds': program(
    'console.log(1, -0, "s", ["s"], { a: 1, "b-c": [1, { d: 2 }] }, null, undefined, 10n, Symbol("y"), /r/g, () => 1, class A {}, new (class B { x = 1 })(), new Map([["k", { v: 1 }]]), new Set([1, "2"]), [, 1], new Error("e").message, Object.create(null), new Uint8Array(2), [undefined, null], { f() {} })',
    "1 -0 s [ 's' ] { a: 1, 'b-c': [ 1, { d: 2 } ] } null undefined 10n Symbol(y) /r/g [Function (anonymous)] [class A] B { x: 1 } Map(1) { 'k' => { v: 1 } } Set(2) { 1, '2' } [ <1 empty item>, 1 ] e [Object: null prototype] {} Uint8Array(2) [ 0, 0 ] [ undefined, null ] { f: [Function: f] }\n",
  ),
  'values that contain themselves': program(
    'const a = { n: 1 }; a.self = a; console.log(a)',
    '<ref *1> { n: 1, self: [Circular *1] }\n',
  ),
  'values in many levels': program(
    'console.log({ a: { b: { c: { d: 1 } } } }, [[[[1]]]])',
    '{ a: { b: { c: [Object] } } } [ [ [ [Array] ] ] ]\n',
  ),
  'a format': program(
    'console.log("%s is %d and %i, %j %o %%", "x", 4.5, 4.5, { a: 1 }, [1], "rest")',
    'x is 4.5 and 4, {"a":1} [ 1, [length]: 1 ] % rest\n',
  ),
  'quotes in strings': program(`console.log(["a'b", 'a"b\\'c', "n\\n"])`, `[ "a'b", \`a"b'c\`, 'n\\n' ]\n`),
  'groups of lines': program(
    'console.group("a"); console.log("b\\nc"); console.groupEnd(); console.log("d")',
    'a\n  b\n  c\nd\n',
  ),
  'standard error': program('console.error("e"); console.warn("w"); process.stderr.write("x"); console.log("o")', 'o\n', {
    complaint: 'e\nw\nx',
  }),
  'bytes in many encodings': value(
    '["hex", "base64", "base64url", "latin1"].map(e => Buffer.from("é>?").toString(e)).join()',
    'c3a93e3f,w6k+Pw==,w6k-Pw,Ã©>?',
  ),
  'bytes from many encodings': value(
    'Buffer.concat([Buffer.from("6869", "hex"), Buffer.from("IQ==", "base64"), Buffer.alloc(2, "z")]).toString()',
    'hi!zz',
  ),
  'numbers in bytes': value(
    '(b => (b.writeUInt32LE(258, 0), b.writeInt16BE(-2, 4), [b.toString("hex"), b.readUInt16LE(0), b.readInt16BE(4)]))(Buffer.alloc(6)).join()',
    '02010000fffe,258,-2',
  ),
  paths: value(
    '[path.join("a", "..", "..", "b"), path.resolve("/x", "../y", "z"), path.relative("/a/b/c", "/a/d"), path.basename("/q/w.txt", ".txt"), path.extname(".a.b"), path.dirname("/a/b/"), path.normalize("./a//b/../c/"), path.parse("/h/i.tar.gz").name].join(" ")',
    '../b /y/z ../../d w .b /a a/c/ i.tar',
  ),
  events: program(
    'const e = new (require("events"))(); e.once("a", x => console.log("once", x)); e.on("a", x => console.log("on", x)); e.emit("a", 1); console.log(e.emit("a", 2), e.emit("b"))',
    'once 1\non 1\non 2\ntrue false\n',
  ),
  assertions: program(
    'const assert = require("assert"); assert.deepStrictEqual({ a: [1] }, { a: [1] }); assert.throws(() => { throw new TypeError("x") }, TypeError); try { assert.strictEqual(1, 2) } catch (e) { console.log(e.name, e.code) }',
    'AssertionError ERR_ASSERTION\n',
  ),
  'an assertion that fails': program('require("assert").equal(1, 2)', '', { code: 1, complaint: 'AssertionError' }),
  'copies of values': value(
    '(c => c !== undefined && c.d instanceof Date && c.m.get(1)[0] === c)(structuredClone((() => { const o = { d: new Date(0), m: new Map() }; o.m.set(1, [o]); return o })()))',
    'true',
  ),
  'text and bytes': value('new TextDecoder().decode(new TextEncoder().encode("é😀\\0")).length', '4'),
  'the language': value(
    '[[3, 1, 2].toSorted().join(""), Object.groupBy ? 1 : 0, "x".at(-1), [1, 2, 3].findLast(n => n < 3), (async () => 1)() instanceof Promise, 2n ** 64n, /(?<y>\\d+)/.exec("a12").groups.y, [..."é😀"].length].slice(2).join()',
    'x,2,true,18446744073709551616,12,2',
  ),
  'a module that is not there': program('require("http2x")', '', { code: 1, complaint: "Cannot find module 'http2x'" }),
}

/** What Node has and the engine has not. */
export const jsRefusals: Readonly<Record<string, ProgramRefusal>> = {
  'a module of Node': {
    args: ['-e', 'require("child_process")'],
    code: 1,
    complaint: "Cannot find module 'child_process': this is QuickJS, not Node. Available are assert,",
  },
  'an imported module of Node': {
    args: ['-e', 'import("node:http").catch(e => { console.error(e.message); process.exit(1) })'],
    code: 1,
    complaint: 'this is QuickJS, not Node',
  },
  'the network': {
    args: ['-e', 'fetch("https://example.com")'],
    code: 1,
    complaint: 'fetch is not available: this is QuickJS, not Node. There is no network.',
  },
  'a stream of a file': {
    args: ['-e', 'fs.createReadStream("a.txt")'],
    code: 1,
    complaint: 'fs.createReadStream is not available',
  },
  TypeScript: { args: ['x.ts'], code: 1, complaint: 'x.ts' },
  'an option of Node': { args: ['--test'], code: 9, complaint: 'bad option: --test' },
  'too much memory': {
    args: ['-e', 'const all = []; for (;;) all.push(new Array(1e6).fill(1))'],
    code: 1,
    complaint: 'out of memory',
  },
  'too many calls': { args: ['-e', '(function f() { f() })()'], code: 1, complaint: 'Maximum call stack size exceeded' },
  'a URL': { args: ['-e', 'new URL("https://example.com/")'], code: 1, complaint: 'URL is not available' },
}
