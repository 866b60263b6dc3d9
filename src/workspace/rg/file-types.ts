// The types of `-t`: ripgrep's names and globs, for files that are common in web projects, and types that a call defines itself.

const builtIn: Readonly<Record<string, string>> = {
  ada: '*.adb *.ads',
  asciidoc: '*.adoc *.asc *.asciidoc',
  asm: '*.S *.asm *.s',
  astro: '*.astro',
  avro: '*.avdl *.avpr *.avsc',
  awk: '*.awk',
  bat: '*.bat',
  bazel: '*.BUILD *.bazel *.bazelrc *.bzl BUILD MODULE.bazel WORKSPACE WORKSPACE.bazel WORKSPACE.bzlmod',
  bzip2: '*.bz2 *.tbz2',
  brotli: '*.br',
  c: '*.[chH] *.[chH].in *.cats',
  cfml: '*.cfc *.cfm',
  clojure: '*.clj *.cljc *.cljs *.cljx',
  cmake: '*.cmake CMakeLists.txt',
  coffeescript: '*.coffee',
  config: '*.cfg *.conf *.config *.ini',
  cpp: '*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl',
  creole: '*.creole',
  crystal: '*.cr *.ecr Projectfile shard.yml',
  cs: '*.cs',
  csharp: '*.cs',
  cshtml: '*.cshtml',
  csproj: '*.csproj',
  css: '*.css *.scss',
  csv: '*.csv',
  cuda: '*.cu *.cuh',
  cython: '*.pxd *.pxi *.pyx',
  d: '*.d',
  dart: '*.dart',
  devicetree: '*.dts *.dtsi *.dtso',
  diff: '*.diff *.patch',
  docker: '*Dockerfile*',
  dockercompose: 'docker-compose.*.yml docker-compose.yml',
  elisp: '*.el',
  elixir: '*.eex *.ex *.exs *.heex *.leex *.livemd',
  elm: '*.elm',
  erb: '*.erb',
  erlang: '*.erl *.hrl',
  fish: '*.fish',
  fortran: '*.F *.F77 *.F90 *.F95 *.f *.f77 *.f90 *.f95 *.pfo',
  fsharp: '*.fs *.fsi *.fsx',
  gleam: '*.gleam',
  go: '*.go',
  gradle: '*.gradle *.gradle.kts gradle-wrapper.* gradle.properties gradlew*',
  graphql: '*.graphql *.graphqls',
  groovy: '*.gradle *.groovy',
  gzip: '*.gz *.tgz',
  h: '*.h *.hh *.hpp',
  haml: '*.haml',
  handlebars: '*.hbs',
  haskell: '*.c2hs *.cpphs *.hs *.hsc *.lhs',
  hbs: '*.hbs',
  html: '*.ejs *.htm *.html',
  java: '*.java *.jsp *.jspx *.properties',
  jinja: '*.j2 *.jinja *.jinja2',
  jl: '*.jl',
  js: '*.cjs *.js *.jsx *.mjs *.vue',
  json: '*.json *.sarif composer.lock',
  jsonl: '*.jsonl',
  julia: '*.jl',
  jupyter: '*.ipynb *.jpynb',
  kotlin: '*.kt *.kts',
  less: '*.less',
  license:
    '*[.-]LICEN[CS]E* AGPL-*[0-9]* APACHE-*[0-9]* COPYING COPYING[.-]* COPYRIGHT COPYRIGHT[.-]* EULA EULA[.-]* LICEN[CS]E LICEN[CS]E[.-]* LICENSE MIT-LICEN[CS]E* NOTICE NOTICE[.-]* UNLICEN[CS]E UNLICEN[CS]E[.-]*',
  lisp: '*.el *.jl *.lisp *.lsp *.sc *.scm',
  lock: '*.lock package-lock.json',
  log: '*.log',
  lua: '*.lua',
  lz4: '*.lz4',
  lzma: '*.lzma',
  make: '*.mak *.mk [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile [Mm]akefile.am [Mm]akefile.in Makefile.*',
  man: '*.[0-9][cEFMmpSx] *.[0-9lnpx]',
  markdown: '*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn',
  matlab: '*.m',
  md: '*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn',
  meson: 'meson.build meson.options meson_options.txt',
  nim: '*.nim *.nimble *.nimf *.nims',
  nix: '*.nix',
  objc: '*.h *.m',
  ocaml: '*.ml *.mli *.mll *.mly',
  org: '*.org *.org_archive',
  pascal: '*.dpr *.inc *.lpr *.pas *.pp',
  pdf: '*.pdf',
  perl: '*.PL *.perl *.pl *.plh *.plx *.pm *.t',
  php: '*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml',
  po: '*.po',
  prolog: '*.P *.pl *.pro *.prolog',
  protobuf: '*.proto',
  ps: '*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1',
  puppet: '*.epp *.erb *.pp *.rb',
  purs: '*.purs',
  py: '*.py *.pyi',
  python: '*.py *.pyi',
  r: '*.R *.Rmd *.Rnw *.r *.rmd *.rnw',
  racket: '*.rkt',
  readme: '*README README*',
  reasonml: '*.re *.rei',
  rst: '*.rst',
  ruby: '*.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru',
  rust: '*.rs',
  sass: '*.sass *.scss',
  scala: '*.sbt *.scala',
  sh: '*.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout .bash_profile .bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc',
  slim: '*.skim *.slim *.slime',
  smarty: '*.tpl',
  solidity: '*.sol',
  sql: '*.psql *.sql',
  stylus: '*.styl',
  sv: '*.h *.sv *.svh *.v *.vg',
  svelte: '*.svelte *.svelte.ts',
  svg: '*.svg',
  swift: '*.swift',
  systemd: '*.automount *.conf *.device *.link *.mount *.path *.scope *.service *.slice *.socket *.swap *.target *.timer',
  tcl: '*.tcl',
  tex: '*.bib *.cls *.dtx *.ins *.ltx *.sty *.tex',
  tf: '*.terraformrc *.tf *.tf.json *.tfrc *.tfvars *.tfvars.json terraform.rc',
  thrift: '*.thrift',
  toml: '*.toml Cargo.lock',
  ts: '*.cts *.mts *.ts *.tsx',
  twig: '*.twig',
  txt: '*.txt',
  typescript: '*.cts *.mts *.ts *.tsx',
  typst: '*.typ',
  vala: '*.vala',
  vb: '*.vb',
  verilog: '*.sv *.svh *.v *.vh',
  vhdl: '*.vhd *.vhdl',
  vim: '*.vim .gvimrc .vimrc _gvimrc _vimrc gvimrc vimrc',
  vue: '*.vue',
  webidl: '*.idl *.webidl *.widl',
  wiki: '*.mediawiki *.wiki',
  xml: '*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt',
  xz: '*.txz *.xz',
  yacc: '*.y',
  yaml: '*.yaml *.yml',
  z: '*.Z',
  zig: '*.zig',
  zsh: '*.zsh .zlogin .zlogout .zprofile .zshenv .zshrc zlogin zlogout zprofile zshenv zshrc',
  zstd: '*.zst *.zstd',
}

export class FileTypes {
  readonly #types = new Map(Object.entries(builtIn).map(([name, globs]) => [name, globs.split(' ')]))

  /** `NAME:GLOB` or `NAME:include:OTHER,OTHER`. Returns what is wrong, if anything is. */
  add(definition: string): string | undefined {
    const [name = '', second = '', third] = definition.split(':')
    if (!/^[\p{L}\p{N}]+$/u.test(name) || second === '' || definition.split(':').length > 3) {
      return 'invalid definition (format is type:glob, e.g., html:*.html)'
    }
    if (name === 'all') return 'invalid definition (format is type:glob, e.g., html:*.html)'
    if (third === undefined) {
      this.#extend(name, [second])
      return undefined
    }
    if (second !== 'include') return 'invalid definition (format is type:glob, e.g., html:*.html)'
    for (const other of third.split(',')) {
      const globs = this.#types.get(other)
      if (globs === undefined) return `unrecognized file type: ${other}`
      this.#extend(name, globs)
    }
    return undefined
  }

  clear(name: string): void {
    this.#types.delete(name)
  }

  /** The globs of a type; `all` is every type. `undefined` for an unknown type. */
  globsOf(name: string): readonly string[] | undefined {
    return name === 'all' ? [...this.#types.values()].flat() : this.#types.get(name)
  }

  /** For `--type-list`. */
  list(): string {
    const lines = [...this.#types]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, globs]) => `${name}: ${globs.toSorted().join(', ')}`)
    return lines.map(line => `${line}\n`).join('')
  }

  #extend(name: string, globs: readonly string[]): void {
    this.#types.set(name, [...(this.#types.get(name) ?? []), ...globs])
  }
}
