// Programs for the command `python3`, with what they print. CPython runs them too, and must print the same.

import type { ProgramCase, ProgramFiles, ProgramRefusal } from './program-case.ts'

export const pythonFiles: ProgramFiles = {
  'a.txt': 'one\ntwo\n',
  'no-newline.txt': 'x\ny',
  'args.py': 'import sys\nprint(sys.argv[1:], __name__, __file__.rsplit("/", 1)[1])\n',
  'lib/__init__.py': 'name = "lib"\n',
  'lib/add.py': 'from . import name\ndef add(a, b):\n    return a + b\n',
  'lib/__main__.py': 'import sys\nfrom .add import add\nprint("run", add(1, 2), sys.argv[1:])\n',
  'main.py': 'from lib.add import add\nimport lib\nprint(add(1, 2), lib.name)\n',
  'folder/inner.py': 'import beside\nprint(beside.here)\n',
  'folder/beside.py': 'here = "beside"\n',
  'bad.py': 'a = 1\nb = = 2\n',
  'fails.py': 'def f():\n    raise ValueError("broken")\nf()\n',
  'data.json': '{"list": [1, 2, 3], "name": "ä"}',
  'größe 1.txt': 'ü\n',
}

const program = (code: string, stdout: string, rest: Partial<ProgramCase> = {}): ProgramCase => ({
  args: ['-c', code],
  stdout,
  ...rest,
})

/** Few enough for the quick run. */
export const quickPythonCases: Readonly<Record<string, ProgramCase>> = {
  'a file with arguments': { args: ['args.py', 'x', '-y'], stdout: "['x', '-y'] __main__ args.py\n" },
  'a file written and read': program(
    'with open("n.txt", "w") as f: f.write("new\\n")\nprint(open("n.txt").read(), open("a.txt").readlines())',
    "new\n ['one\\n', 'two\\n']\n",
  ),
  'an exception that nobody catches': program('{}["key"]', '', { code: 1, complaint: "KeyError: 'key'" }),
  'names of one program are unknown to the next': program('print("n" in globals(), "f" in globals())', 'False False\n'),
}

export const pythonCases: Readonly<Record<string, ProgramCase>> = {
  ...quickPythonCases,
  'arguments of a text': { args: ['-c', 'import sys; print(sys.argv)', 'q', '-c'], stdout: "['-c', 'q', '-c']\n" },
  'a text attached to its option': { args: ['-uBc', 'print(1)'], stdout: '1\n' },
  'a program on standard input': { args: [], input: 'print("from input")', stdout: 'from input\n' },
  'a program on standard input, with arguments': {
    args: ['-', 'z'],
    input: 'import sys\nprint(sys.argv)',
    stdout: "['-', 'z']\n",
  },
  'modules beside the program': { args: ['main.py'], stdout: '3 lib\n' },
  'modules beside a program in a folder': { args: ['folder/inner.py'], stdout: 'beside\n' },
  'a package as a program': { args: ['-m', 'lib', 'q'], stdout: "run 3 ['q']\n" },
  'a module of the library as a program': {
    args: ['-m', 'json.tool', '--indent', '1'],
    input: '{"a": [1]}',
    stdout: '{\n "a": [\n  1\n ]\n}\n',
  },
  'a module that is not there': { args: ['-m', 'none.at.all'], stdout: '', code: 1, complaint: 'none' },
  'a file that is not there': { args: ['none.py'], stdout: '', code: 2, complaint: "can't open file" },
  'an error of syntax': { args: ['bad.py'], stdout: '', code: 1, complaint: 'SyntaxError: invalid syntax' },
  'the lines of a traceback': {
    args: ['fails.py'],
    stdout: '',
    code: 1,
    complaint: 'line 3, in <module>\n    f()',
  },
  'an exit with a code': program('import sys; sys.exit(3)', '', { code: 3 }),
  'an exit with a code above 255': program('import sys; sys.exit(257)', '', { code: 1 }),
  'an exit with a message': program('import sys; print("out"); sys.exit("stop")', 'out\n', { code: 1, complaint: 'stop\n' }),
  'an exit without a code': program('exit()', ''),
  'os._exit': program('import os; os.write(1, b"w"); os._exit(7)', 'w', { code: 7 }),
  'work at the exit': program(
    'import atexit; atexit.register(print, "late")\nclass A:\n  def __del__(self): print("gone")\na = A(); print("early")',
    'early\nlate\ngone\n',
  ),
  'the environment': program(
    'import os; print(os.environ["GREETING"], os.environ.get("none"), os.getenv("HOME") != "")',
    'hi None True\n',
  ),
  'input()': program('print(input() + input("? "))', '? ab\n', { input: 'a\nb\n' }),
  'input at its end': program('input()', '', { code: 1, complaint: 'EOFError' }),
  'lines of the input': program('import sys\nfor l in sys.stdin: print(repr(l))', "'a\\n'\n'b'\n", { input: 'a\nb' }),
  'bytes of the input': program('import sys; print(len(sys.stdin.buffer.read()))', '3\n', { input: 'ä\n' }),
  'bytes on the output': program('import sys; sys.stdout.buffer.write(bytes(range(60, 70)))', '<=>?@ABCDE'),
  'standard error': program('import sys; print("e", file=sys.stderr); print("o")', 'o\n', { complaint: 'e\n' }),
  'a file appended': program('open("a.txt", "a").write("three\\n"); print(open("a.txt").read())', 'one\ntwo\nthree\n\n'),
  'a file changed in place': program(
    'f = open("a.txt", "r+"); f.seek(4); f.write("TWO"); f.seek(0); print(f.read()); f.close()',
    'one\nTWO\n\n',
  ),
  'a file that is read while it is written': program(
    'f = open("b", "w"); f.write("x" * 10); f.flush(); print(len(open("b").read())); f.write("y"); f.close(); print(open("b").read())',
    '10\nxxxxxxxxxxy\n',
  ),
  'a file that is never closed': program('f = open("b", "w"); f.write("kept")', ''),
  'a file appended and read through one descriptor': program(
    'f = open("a.txt", "a+"); f.write("3"); f.seek(0); print(f.read()); f.truncate(2); f.seek(0); print(f.read())',
    'one\ntwo\n3\non\n',
  ),
  'seek, tell and truncate': program(
    'f = open("b", "w+b"); f.write(b"0123456789"); f.seek(-3, 2); print(f.read(), f.tell()); f.truncate(4); f.seek(6); f.write(b"z"); f.seek(0); print(f.read())',
    "b'789' 10\nb'0123\\x00\\x00z'\n",
  ),
  'binary content': program(
    'open("b", "wb").write(bytes(range(256)) * 40); d = open("b", "rb").read(); print(len(d), d[:3], d[-1])',
    "10240 b'\\x00\\x01\\x02' 255\n",
  ),
  'names in Unicode': program(
    'import os; open("neu ß.txt", "w").write("é"); print([n for n in sorted(os.listdir()) if not n.isascii()], open("größe 1.txt").read())',
    "['größe 1.txt', 'neu ß.txt'] ü\n\n",
  ),
  'a last line without its end': program('print(open("no-newline.txt").readlines())', "['x\\n', 'y']\n"),
  'an exclusive file': program(
    'open("b", "x").write("1")\ntry: open("b", "x")\nexcept FileExistsError as e: print(e.filename)',
    'b\n',
  ),
  stat: program(
    'import os, stat; s = os.stat("a.txt"); print(s.st_size, stat.S_ISREG(s.st_mode), stat.S_ISDIR(os.stat("lib").st_mode))',
    '8 True True\n',
  ),
  'the errors of files': program(
    [
      'import os',
      'for work in (lambda: open("none"), lambda: open("lib"), lambda: os.listdir("a.txt"), lambda: os.mkdir("lib"), lambda: os.rmdir("lib"),',
      '             lambda: os.remove("none"), lambda: open("none/x", "w"), lambda: open("a.txt/x"), lambda: os.remove("lib"), lambda: os.rename("none", "x"),',
      '             lambda: os.readlink("a.txt"), lambda: os.chdir("none"), lambda: open("a.txt").write("x")):',
      '  try: work()',
      '  except OSError as e: print(type(e).__name__)',
    ].join('\n'),
    'FileNotFoundError\nIsADirectoryError\nNotADirectoryError\nFileExistsError\nOSError\nFileNotFoundError\nFileNotFoundError\n' +
      'NotADirectoryError\nIsADirectoryError\nFileNotFoundError\nOSError\nFileNotFoundError\nUnsupportedOperation\n',
  ),
  directories: program(
    'import os, shutil; os.makedirs("x/y/z"); open("x/y/f", "w").close(); print([(r, sorted(d), sorted(f)) for r, d, f in os.walk("x")]); shutil.rmtree("x"); print(os.path.exists("x"))',
    "[('x', ['y'], []), ('x/y', ['z'], ['f']), ('x/y/z', [], [])]\nFalse\n",
  ),
  'a listing': program(
    'import os; print(sorted((e.name, e.is_dir()) for e in os.scandir("lib")))',
    "[('__init__.py', False), ('__main__.py', False), ('add.py', False)]\n",
  ),
  'rename and remove': program(
    'import os; os.rename("a.txt", "b.txt"); os.replace("b.txt", "data.json"); os.remove("no-newline.txt"); os.rename("folder", "moved"); print(open("data.json").read(), os.listdir("moved") != [])',
    'one\ntwo\n True\n',
  ),
  'a file renamed while it is open': program(
    'import os; f = open("t", "w"); f.write("1"); os.rename("t", "u"); f.write("2"); f.close(); print(os.path.exists("t"), open("u").read())',
    'False 12\n',
  ),
  'a file removed while it is open': program(
    'import os; f = open("t", "w+"); f.write("1"); os.remove("t"); f.seek(0); print(f.read(), os.path.exists("t")); f.close(); print(os.path.exists("t"))',
    '1 False\nFalse\n',
  ),
  'symbolic links': program(
    'import os; os.symlink("a.txt", "l"); print(os.readlink("l"), os.path.islink("l"), open("l").read()); open("l", "a").write("3"); print(open("a.txt").read()); os.remove("l")',
    'a.txt True one\ntwo\n\none\ntwo\n3\n',
  ),
  'modes and times': program(
    'import os; os.chmod("a.txt", 0o755); os.utime("a.txt", (1e9, 1e9)); s = os.stat("a.txt"); print(oct(s.st_mode), s.st_mtime, oct(os.stat("data.json").st_mode))',
    '0o100755 1000000000.0 0o100644\n',
  ),
  'the mode of a new file': program(
    'import os; open("b", "w").close(); os.mkdir("d"); print(oct(os.stat("b").st_mode), oct(os.stat("d").st_mode))',
    '0o100644 0o40755\n',
  ),
  'os.truncate': program('import os; os.truncate("a.txt", 3); print(open("a.txt").read())', 'one\n'),
  'copies of a descriptor': program(
    'import os; fd = os.open("b", os.O_WRONLY | os.O_CREAT); d = os.dup(fd); os.write(fd, b"a"); os.write(d, b"b"); os.close(fd); os.write(d, b"c"); os.close(d); print(open("b").read())',
    'abc\n',
  ),
  pathlib: program(
    'from pathlib import Path; Path("b").write_text("x\\n"); Path("d").mkdir(); Path("d/t").touch(); print(sorted(str(p) for p in Path(".").rglob("t")), Path("b").read_text(), Path.cwd() == Path("b").resolve().parent)',
    "['d/t'] x\n True\n",
  ),
  'the working directory': program(
    'import os; os.chdir("lib"); print(os.path.basename(os.getcwd()), os.path.exists("add.py"))',
    'lib True\n',
  ),
  'JSON and CSV': program(
    'import csv, json, sys; d = json.load(open("data.json")); csv.writer(sys.stdout).writerows([d["list"], [d["name"]]])',
    '1,2,3\r\nä\r\n',
  ),
  'a regular expression over a file': program(
    'import re; s = open("a.txt").read(); open("a.txt", "w").write(re.sub(r"(?m)^(\\w)", lambda m: m[1].upper(), s)); print(open("a.txt").read())',
    'One\nTwo\n\n',
  ),
  archives: program(
    'import tarfile, zipfile, gzip; z = zipfile.ZipFile("b.zip", "w"); z.write("a.txt"); z.close(); print(zipfile.ZipFile("b.zip").read("a.txt")); t = tarfile.open("b.tar", "w"); t.add("lib"); t.close(); print(len(tarfile.open("b.tar").getnames())); import os; os.remove("b.zip"); os.remove("b.tar")',
    "b'one\\ntwo\\n'\n4\n",
  ),
  SQLite: program(
    'import sqlite3; d = sqlite3.connect("t.db"); d.execute("create table t(a)"); d.executemany("insert into t values(?)", [(1,), (2,)]); d.commit(); d.close(); print(sqlite3.connect("t.db").execute("select sum(a) from t").fetchone()); import os; os.remove("t.db")',
    '(3,)\n',
  ),
  asyncio: program(
    'import asyncio\nasync def one(n, own, next):\n  await own.wait(); await asyncio.sleep(0.01); print(n); next.set(); return n\nasync def main():\n  turns = [asyncio.Event() for _ in range(4)]; turns[3].set()\n  return await asyncio.gather(*[one(n, turns[n + 1], turns[n]) for n in range(3)])\nprint(asyncio.run(main()))',
    '2\n1\n0\n[0, 1, 2]\n',
  ),
  'temporary files': program(
    'import tempfile, os; d = tempfile.mkdtemp(dir="."); open(os.path.join(d, "f"), "w").close(); print(os.listdir(d)); import shutil; shutil.rmtree(d)',
    "['f']\n",
  ),
  hashes: program('import hashlib; print(hashlib.sha256(open("a.txt", "rb").read()).hexdigest()[:12])', 'c3f9c8c283a2\n'),
  unittest: program(
    'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): self.assertEqual(1, 2)\nunittest.main(argv=["t"])',
    '',
    { code: 1, complaint: 'AssertionError: 1 != 2' },
  ),
  'a recursion without end': program('def f(): f()\nf()', '', { code: 1, complaint: 'RecursionError' }),
  'the version': program('import sys; print(sys.version_info >= (3, 11), sys.argv)', "True ['-c']\n"),
}

/** What CPython does and this Python has not. */
export const pythonRefusals: Readonly<Record<string, ProgramRefusal>> = {
  'an unknown option': { args: ['-z'], code: 2, complaint: 'unknown option -z' },
  'an option that is not built': { args: ['-O', '-c', '1'], code: 2, complaint: 'the option -O is not supported here' },
  'an option without its value': { args: ['-c'], code: 2, complaint: 'Argument expected for the -c option' },
  'child processes': {
    args: ['-c', 'import subprocess; subprocess.run(["ls"])'],
    code: 1,
    complaint: 'this Python starts no processes',
  },
  'os.system': { args: ['-c', 'import os; os.system("ls")'], code: 1, complaint: 'this Python starts no processes' },
  'the network': {
    args: ['-c', 'import urllib.request; urllib.request.urlopen("http://localhost")'],
    code: 1,
    complaint: 'this Python has no network',
  },
  sockets: { args: ['-c', 'import socket; socket.socket()'], code: 1, complaint: 'this Python has no network' },
  threads: {
    args: ['-c', 'import threading; threading.Thread(target=print).start()'],
    code: 1,
    complaint: 'this Python has one thread',
  },
  'JavaScript by its module': { args: ['-c', 'import js'], code: 1, complaint: "No module named 'js'" },
  'JavaScript by the engine': {
    args: ['-c', 'import sys; sys.meta_path.pop(0); import _pyodide_core as c; c.create_proxy(print).constructor("1")'],
    code: 1,
    complaint: 'Error',
  },
  'packages that are not there': { args: ['-c', 'import numpy'], code: 1, complaint: "No module named 'numpy'" },
  'a change of the library': { args: ['-c', 'open("/lib/python3.14/x", "w")'], code: 1, complaint: 'Read-only file system' },
}
