// What `.help` prints.

import { modes } from './modes.ts'

export const help: string = `.bail on|off             End a script at the first error
.backup ?main? FILE      Copy the database into a file, once the script has ended
.changes on|off          Show how many rows each statement of a script changes
.databases               Show the database
.dump ?TABLE?            Print the statements that make the database again
.echo on|off             Print each line of a script before it is run
.exit ?CODE?             End
.fullschema              Print the CREATE statements and what ANALYZE has found
.headers on|off          Show the names of columns
.import FILE TABLE       Read a file into a table; --csv, --skip N
.indexes ?TABLE?         Show the names of indexes
.mode MODE ?TABLE?       ${Object.keys(modes).join(' ')}
.nullvalue STRING        What is shown for NULL
.once FILE               Print into a file, for one statement or command
.output ?FILE?           Print into a file, or again to standard output
.print STRING            Print a text
.quit                    End
.read FILE               Run a script
.save ?main? FILE        As .backup
.schema ?PATTERN?        Print the CREATE statements
.separator COL ?ROW?     Between columns and rows
.show                    Show the settings
.tables ?PATTERN?        Show the names of tables
.timer on|off            Show how long each statement of a script takes
ATTACH, extensions and virtual tables in .dump are not available. A statement ends after 10 s.
`
