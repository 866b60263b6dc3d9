// Recognizes scripts by their first line, for the command `file`: it knows each interpreter in some directories only.

/** Where an interpreter is known: in /bin (b), in /usr/bin (u), in /usr/local/bin (l), by /usr/bin/env (e). */
type Places = string

const interpreters: readonly (readonly [places: Places, program: string, name: string, mime: string])[] = [
  ['b', 'sh', 'POSIX shell script', 'text/x-shellscript'],
  ['bule', 'bash', 'Bourne-Again shell script', 'text/x-shellscript'],
  ['bule', 'zsh', "Paul Falstad's zsh script", 'text/x-shellscript'],
  ['b', 'ksh', 'Korn shell script', 'text/x-shellscript'],
  ['b', 'csh', 'C shell script', 'text/x-shellscript'],
  ['bul', 'tcsh', 'Tenex C shell script', 'text/x-shellscript'],
  ['ule', 'fish', 'fish shell script', 'text/x-shellscript'],
  ['ule', 'python', 'Python script', 'text/x-script.python'],
  ['ule', 'ruby', 'Ruby script', 'text/x-ruby'],
  ['ule', 'lua', 'Lua script', 'text/x-lua'],
  ['ul', 'php', 'PHP script', 'text/x-php'],
  ['bue', 'node', 'Node.js script executable', 'application/javascript'],
  ['bu', 'awk', 'awk script', 'text/x-awk'],
  ['bul', 'gawk', 'GNU awk script', 'text/x-gawk'],
  ['bul', 'nawk', 'new awk script', 'text/x-nawk'],
  ['le', 'tclsh', 'Tcl script', 'text/x-tcl'],
  ['u', 'tclsh', 'Tcl/Tk script', 'text/x-tcl'],
  ['ule', 'wish', 'Tcl/Tk script', 'text/x-tcl'],
]

const directories: Readonly<Record<string, string>> = { b: '/bin/', u: '/usr/bin/', l: '/usr/local/bin/', e: '/usr/bin/env ' }

/** `adds` is false for a description that does not say how the text is encoded. */
export interface ScriptType {
  readonly name: string
  readonly mime: string
  readonly isExecutable?: true
  readonly adds?: false
}

export function scriptTypeOf(head: string): ScriptType | undefined {
  const line = /^#![ \t]*([^\r\n]*)/.exec(head)?.[1]
  if (line === undefined || line === '') return undefined
  if (/^[^ ]*\/perl|^\/usr\/bin\/env perl/.test(line))
    return { name: 'Perl script text executable', mime: 'text/x-perl', adds: false }
  for (const [places, program, name, mime] of interpreters)
    if (Array.from(places).some(place => line.startsWith(`${directories[place]}${program}`)))
      return name.endsWith('executable') ? { name, mime } : { name, mime, isExecutable: true }
  return { name: `a ${line.replace(/^\/usr\/bin\/env +/, '')} script`, mime: 'text/plain', isExecutable: true }
}
