// Options of GNU's programs, one or a few in each row: see gnu-cases.ts.

import type { GnuCase } from './gnu-cases.ts'

export const optionCases: readonly GnuCase[] = [
  ['echo n | find a.txt -ok rm {} \\;', '', 0],
  ['echo y | find a.txt -ok echo {} \\; ; echo $?', 'a.txt\n0\n', 0],
  ['echo y | find a.txt -ok echo {} \\;; echo $?', 'a.txt\n0\n', 0],
  ["echo y | find src -name 'x.ts' -okdir echo {} \\;", './x.ts\n', 0],
  ['find -O3 . -name a.txt', './a.txt\n', 0],
  ['find . -ctime 0 -name a.txt', './a.txt\n', 0],
  ['find . -follow -name sl -type f', '', 0],
  ['find . -fstype tmpfs -name x', '', 0],
  ['find . -inum $(stat -c %i a.txt) | sort', './a.txt\n', 0],
  ['find . -inum 1; echo $?', '0\n', 0],
  ["find . -links 1 -name '*.txt' | sort | head -3", './a.txt\n./b.txt\n./blank.txt\n', 0],
  ["find . -name 'a*' -fprintf out '%f\\n' -o -name 'b.txt' -fprint0 out2", '', 0],
  ['find . -newerat 2000-01-01 -name a.txt', './a.txt\n', 0],
  ["find . -regextype sed -regex '.*/[ab]\\{1\\}\\.txt' | sort", './a.txt\n./b.txt\n', 0],
  ['find . -used 0 -name q', '', 0],
  ['find a.txt -fls out', '', 0],
  [
    "find a.txt -printf '%#m %%\\t\\a\\b\\f\\n\\r\\v\\\\\\0\\101\\n' | od -c",
    '0000000   0   6   4   4       %  \\t  \\a  \\b  \\f  \\n  \\r  \\v   \\  \\0   A\n0000020  \\n\n0000021\n',
    0,
  ],
  ["find a.txt -printf '%'", '', 1],
  ["find a.txt -printf '%q\\n'", '%q\n', 0],
  ["find a.txt -printf '\\c more'", '', 0],
  ["find src/ -maxdepth 0 -printf '%f|%h|%P|%p\\n'", 'src/|.||src/\n', 0],
  [
    "ln -s a.txt sl; ln -s nope bl; find . -type l | sort; find -L . -type l; find . -xtype l; find -H sl -type f; find -P sl -type l; find . -lname 'a*'; find . -L -name x; find . -follow -name sl -type f",
    './bl\n./sl\n./bl\n./bl\nsl\nsl\n./sl\n./sl\n',
    0,
  ],
  ['stat --cached=never -c %n a.txt', 'a.txt\n', 0],
  ["stat --printf='a\\x41\\101\\n' a.txt", 'aAA\n', 0],
  ["stat -c '%q' a.txt", '?\n', 0],
  ['stat -t . | wc -w', '16\n', 0],
  ["stat -t a.txt | awk '{print NF, $2}'", '16 67\n', 0],
  ['stat a.txt | wc -l', '8\n', 0],
  [
    "touch -d '2024-03-05 06:07:08.123 UTC' a.txt; stat -c '%y|%Y|%.3Y|%.Y|%10s|%-10s|%010s|%#a|%+s' a.txt",
    '2024-03-05 06:07:08.123000000 +0000|1709618828|1709618828.123|1709618828.123000000|        67|67        |0000000067|0644|+67\n',
    0,
  ],
  [
    "touch -d '2024-03-05 06:07:08.123 UTC' a.txt; find a.txt -printf '%t|%TY-%Tm-%Td|%TH:%TM:%TS|%T@|%T+|%Tc|%TD|%Tr|%TX|%Tx|%Ta %Tb %Tj %TA %TB %TI %Tk %Tl %Tp %TT %TZ %Tz %Tw %TU %TW %TV %TG %Tg %Te %TF %Ts %Th'",
    'Tue Mar  5 06:07:08.1230000000 2024|2024-03-05|06:07:08.1230000000|1709618828.1230000000|2024-03-05+06:07:08.1230000000|Tue Mar  5 06:07:08 2024|03/05/24|06:07:08 AM|06:07:08.1230000000|03/05/24|Tue Mar 065 Tuesday March 06  6  6 AM 06:07:08.1230000000 UTC +0000 2 09 10 10 2024 24  5 2024-03-05 1709618828 Mar',
    0,
  ],
]
