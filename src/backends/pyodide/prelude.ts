// The Python text that makes an interpreter ready for a program, and runs it. The interpreter executes it once, before its memory is kept.

/** The device by which a program sleeps and ends. */
export const callsPath = '/lib/python3.calls'

export const prelude: string = String.raw`
import asyncio, asyncio.base_events, atexit, builtins, errno, gc, importlib, io, json, linecache, os, random, runpy, signal, socket
import subprocess, sys, tempfile, threading, time, traceback, types, warnings, zipfile

def ask(text):
    fd = os.open('${callsPath}', os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)

def exit_now(code):
    ask('exit %d' % (code & 255))

def kill(pid, number):
    if pid not in (0, os.getpid()):
        raise ProcessLookupError(errno.ESRCH, 'No such process')
    if number != 0:
        signal.raise_signal(number) if callable(signal.getsignal(number)) else exit_now(128 + number)

def sleep(seconds, /):
    if seconds < 0:
        raise ValueError('sleep length must be non-negative')
    ask('sleep %r' % float(seconds))

def refuse(message, kind=OSError):
    def refused(*args, **named):
        raise kind(errno.ENOTSUP, message) if issubclass(kind, OSError) else kind(message)
    return refused

def refuse_all(owner, names, message, kind=OSError):
    for name in names:
        if hasattr(owner, name):
            setattr(owner, name, refuse(message, kind))

no_processes = 'this Python starts no processes; call the command in the shell instead'
no_network = 'this Python has no network'
no_threads = "can't start new thread: this Python has one thread"
no_timers = 'this Python delivers no signals of timers'

class Selector:
    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError('asyncio waits for something that never comes: this Python has no threads, sockets or processes')
        if timeout > 0:
            time.sleep(timeout)
        return []

class Loop(asyncio.base_events.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = Selector()
    def _process_events(self, events):
        pass
    def _write_to_self(self):
        pass

class Policy(asyncio.events._BaseDefaultEventLoopPolicy):
    _loop_factory = Loop

hidden = {'js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core'}

class Hidden:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition('.')[0] in hidden:
            raise ModuleNotFoundError('No module named %r: a program reaches nothing of JavaScript' % name, name=name)
        return None

def prepare():
    time.sleep = sleep
    os._exit = exit_now
    os.abort = lambda: exit_now(134)
    os.kill = kill
    subprocess.Popen.__init__ = refuse(no_processes)
    refuse_all(os, ['system', 'popen', 'fork', 'forkpty', 'posix_spawn', 'posix_spawnp', 'execv', 'execve'], no_processes)
    socket.socket.__init__ = refuse(no_network)
    refuse_all(socket, ['getaddrinfo', 'gethostbyname', 'gethostbyname_ex', 'create_connection', 'socketpair', 'create_server'], no_network)
    refuse_all(threading, ['_start_joinable_thread'], no_threads, RuntimeError)
    import _thread
    refuse_all(_thread, ['start_new_thread', 'start_new', 'start_joinable_thread'], no_threads, RuntimeError)
    refuse_all(signal, ['alarm', 'setitimer'], no_timers)

def cut_javascript():
    for name in list(sys.modules):
        if name.partition('.')[0] in hidden:
            del sys.modules[name]
    sys.meta_path[:] = [Hidden, *(finder for finder in sys.meta_path if '_pyodide' not in getattr(finder, '__module__', ''))]
    sys.path_hooks[:] = [hook for hook in sys.path_hooks if '_pyodide' not in getattr(hook, '__module__', '')]

def streams(unbuffered):
    stdin = open(0, encoding='utf-8', errors='surrogateescape', closefd=False)
    if unbuffered:
        raw = io.FileIO(1, 'w', closefd=False)
        stdout = io.TextIOWrapper(raw, encoding='utf-8', errors='surrogateescape', write_through=True)
    else:
        stdout = open(1, 'w', encoding='utf-8', errors='surrogateescape', closefd=False)
        raw = stdout.buffer.raw
    stderr = open(2, 'w', buffering=1, encoding='utf-8', errors='backslashreplace', closefd=False)
    stdin.buffer.raw.name, raw.name, stderr.buffer.raw.name = '<stdin>', '<stdout>', '<stderr>'
    for text, mode in ((stdin, 'r'), (stdout, 'w'), (stderr, 'w')):
        text.mode = mode
    sys.stdin = sys.__stdin__ = stdin
    sys.stdout = sys.__stdout__ = stdout
    sys.stderr = sys.__stderr__ = stderr

def report(error, depth):
    found = error.__traceback__
    for _ in range(depth):
        found = found and found.tb_next
    error = error.with_traceback(found)
    sys.last_exc = error
    try:
        sys.excepthook(type(error), error, found)
    except BaseException:
        sys.__excepthook__(type(error), error, found)

def code_of(error):
    code = error.code
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 255
    print(code, file=sys.stderr)
    return 1

def guarded(work, depth):
    try:
        work()
        return 0
    except SystemExit as error:
        return code_of(error)
    except KeyboardInterrupt as error:
        report(error, depth)
        return 130
    except BaseException as error:
        report(error, depth)
        return 1

def run_text(source, name, main):
    lines = source.decode('utf-8', 'replace').splitlines(keepends=True) if isinstance(source, bytes) else source.splitlines(keepends=True)
    if name.startswith('<'):
        linecache.cache[name] = (len(source), None, lines, name)
    exec(compile(source, name, 'exec', dont_inherit=True), main.__dict__)

def run_file(path, main, is_isolated):
    real = os.path.realpath(path)
    if os.path.isdir(real) or zipfile.is_zipfile(real):
        sys.path.insert(0, path)
        runpy._run_module_as_main('__main__', False)
        return
    with io.open_code(real) as file:
        source = file.read()
    if not is_isolated:
        sys.path.insert(0, os.path.dirname(real))
    main.__file__ = path if os.path.isabs(path) else os.path.join(here(), path)
    main.__cached__ = None
    run_text(source, path, main)

lost = []

def unraisable(given):
    # A file that Python closes by itself could not be written: the program must not look as if all went well.
    if issubclass(given.exc_type, OSError):
        lost.append(given.exc_type)
    sys.__unraisablehook__(given)

def flush_files():
    for kinds in (io.TextIOWrapper, (io.BufferedWriter, io.BufferedRandom)):
        for found in gc.get_objects():
            try:
                if isinstance(found, kinds) and not found.closed and found.fileno() > 2 and found.writable():
                    found.flush()
            except (OSError, ValueError) as error:
                lost.append(type(error))
                print('Exception ignored while closing %r: %s' % (found, error), file=sys.stderr)

def end():
    def work():
        threading._shutdown()
        atexit._run_exitfuncs()
    guarded(work, 1)
    main = sys.modules.get('__main__')
    if main is not None:
        flush_files()
        names = main.__dict__
        for name in list(names):
            if name not in ('__builtins__', '__name__'):
                names[name] = None
        del names
    gc.collect()
    flush_files()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, ValueError):
            pass
        except OSError:
            return 120
    return 1 if lost else 0

def here():
    try:
        return os.getcwd()
    except OSError:
        return ''

def run(given):
    spec = json.loads(given)
    cut_javascript()
    asyncio.events._set_running_loop(None)
    asyncio.run = asyncio.runners.run
    asyncio.events._event_loop_policy = Policy()
    random.seed()
    tempfile._name_sequence = None
    os.environ.clear()
    os.environ.update(spec['env'])
    for path in list(sys.path_importer_cache):
        if not path.startswith('/lib/python3'):
            del sys.path_importer_cache[path]
    streams(spec['isUnbuffered'])
    sys.excepthook = sys.__excepthook__
    sys.unraisablehook = unraisable
    sys.displayhook = sys.__displayhook__
    sys.dont_write_bytecode = True
    sys.executable = sys._base_executable = '/usr/bin/python3'
    sys.orig_argv = ['python3', *spec['words']]
    sys.path[:] = [path for path in spec['path'] if path] + [path for path in sys.path if path.startswith('/lib/python3')]
    warnings.resetwarnings()
    warnings.filters[:] = []
    for action, category in (('ignore', ResourceWarning), ('ignore', ImportWarning), ('ignore', PendingDeprecationWarning), ('ignore', DeprecationWarning)):
        warnings.filterwarnings(action, category=category)
    warnings.filterwarnings('default', category=DeprecationWarning, module='__main__')
    sys.warnoptions[:] = spec['warnings']
    warnings._processoptions(sys.warnoptions)
    main = types.ModuleType('__main__')
    main.__builtins__ = builtins
    sys.modules['__main__'] = main
    source, isolated = spec['source'], spec['isIsolated']
    gc.collect()
    if source['kind'] == 'module':
        sys.argv = ['-m', *spec['args']]
        if not isolated and here():
            sys.path.insert(0, here())
        code = guarded(lambda: runpy._run_module_as_main(source['name']), 2)
    elif source['kind'] == 'file':
        sys.argv = [source['path'], *spec['args']]
        try:
            os.stat(source['path'])
        except OSError as error:
            print("python3: can't open file %r: [Errno %d] %s" % (os.path.join(here(), source['path']), error.errno, error.strerror), file=sys.stderr)
            return 2
        code = guarded(lambda: run_file(source['path'], main, isolated), 4)
    else:
        sys.argv = [source['argument'], *spec['args']]
        if not isolated:
            sys.path.insert(0, '')
        code = guarded(lambda: run_text(source['text'], source['name'], main), 3)
    ended = end()
    return code or ended

prepare()
`
