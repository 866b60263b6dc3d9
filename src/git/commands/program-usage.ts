/** How git itself is called. */
export const usage = `usage: git [-v | --version] [-h | --help] [-C <path>] [-c <name>=<value>]
           [--no-pager] [--git-dir=<path>] [--work-tree=<path>] [--bare]
           <command> [<args>]
`
