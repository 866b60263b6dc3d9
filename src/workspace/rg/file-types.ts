// What `-t` stands for. The names are ripgrep's, and of its long table the types that projects on the web have.

const types: Readonly<Record<string, readonly string[]>> = {
  c: ['*.c', '*.h', '*.H', '*.[chH].in'],
  cpp: ['*.cpp', '*.cc', '*.cxx', '*.c++', '*.C', '*.hpp', '*.hh', '*.hxx', '*.h++', '*.inl', '*.h', '*.H'],
  cs: ['*.cs'],
  css: ['*.css', '*.scss'],
  csv: ['*.csv'],
  dart: ['*.dart'],
  docker: ['*Dockerfile*'],
  elixir: ['*.ex', '*.eex', '*.exs', '*.heex', '*.leex', '*.livemd'],
  go: ['*.go'],
  graphql: ['*.graphql', '*.graphqls'],
  haskell: ['*.hs', '*.lhs', '*.c2hs', '*.cpphs'],
  html: ['*.htm', '*.html', '*.ejs'],
  java: ['*.java', '*.jsp', '*.jspx', '*.properties'],
  js: ['*.js', '*.jsx', '*.vue', '*.cjs', '*.mjs'],
  json: ['*.json', 'composer.lock', '*.sarif'],
  kotlin: ['*.kt', '*.kts'],
  less: ['*.less'],
  lua: ['*.lua'],
  make: ['[Gg][Nn][Uu]makefile', '[Mm]akefile', '*.mk', '*.mak'],
  markdown: ['*.md', '*.mdown', '*.markdown', '*.mkd', '*.mdwn', '*.mkdn', '*.mdx'],
  perl: ['*.perl', '*.pl', '*.PL', '*.plh', '*.plx', '*.pm', '*.t'],
  php: ['*.php', '*.php3', '*.php4', '*.php5', '*.php7', '*.php8', '*.pht', '*.phtml'],
  protobuf: ['*.proto'],
  py: ['*.py', '*.pyi'],
  r: ['*.r', '*.R', '*.Rmd', '*.rmd', '*.Rnw', '*.rnw'],
  ruby: ['*.rb', '*.gemspec', '*.rbw', 'Gemfile', 'Rakefile', 'config.ru'],
  rust: ['*.rs'],
  sass: ['*.sass', '*.scss'],
  scala: ['*.scala', '*.sbt'],
  sh: ['*.sh', '*.bash', '*.zsh', '*.ksh', '*.csh', '.bashrc', '.bash_profile', '.profile', '.zshrc'],
  sql: ['*.sql', '*.psql'],
  svelte: ['*.svelte', '*.svelte.ts'],
  svg: ['*.svg'],
  swift: ['*.swift'],
  toml: ['*.toml', 'Cargo.lock'],
  ts: ['*.ts', '*.tsx', '*.cts', '*.mts'],
  txt: ['*.txt'],
  vue: ['*.vue'],
  xml: ['*.xml', '*.xml.dist', '*.dtd', '*.xsl', '*.xslt', '*.xsd', '*.xjb', '*.rng', '*.sch', '*.xhtml'],
  yaml: ['*.yaml', '*.yml'],
  zig: ['*.zig'],
}

const otherNames: Readonly<Record<string, string>> = {
  md: 'markdown',
  python: 'py',
  typescript: 'ts',
  javascript: 'js',
  golang: 'go',
  rs: 'rust',
  csharp: 'cs',
  bash: 'sh',
}

/** Globs over a file's name; `undefined` for a type that is not known. */
export function patternsOfType(name: string): readonly string[] | undefined {
  const known = types[otherNames[name] ?? name]
  return known
}
