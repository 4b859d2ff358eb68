// What Beckon knows about programs. A rule that allows a program by its first words lets an agent choose the rest, so
// the question is always: can the rest run another program, write elsewhere, or change where and how it runs? A program
// that is not named here is held to the general lists. In doubt a person is asked.

/** What is special about one program. */
export interface Program {
  /** How many names (no options) must follow it in a rule before any words may: `git` alone would be all of git. */
  names?: number;
  /** It changes what is named after it, so a rule must name all of it. */
  isWhole?: true;
  /** What follows is code, a file with code, or a module: the rule must name it. */
  isCode?: true;
  /** Each further name is one more thing to do: `make test deploy`. */
  hasTargets?: true;
  /** Words behind it that run what follows them, as `exec` of `npm exec`. */
  runs?: string;
  /** Words behind it that change or fetch what is named after them: a rule must name all of it. */
  wholes?: string;
  /** Letters of options that run programs, write files or change the place. */
  letters?: string;
  /** Names of such options, besides those in the general lists. */
  options?: string;
  /** It runs or loads the files that it is given: those outside of where it runs are another project's. */
  isLoader?: true;
  /** Its long options have one dash: `find -exec`. */
  hasOneDash?: true;
}

/** Programs that run what they are given, or change how everything after them runs: no rule can allow them. */
const RUNNERS: ReadonlySet<string> = new Set(
  words(`
    sh bash zsh dash ash ksh mksh csh tcsh fish rbash pwsh powershell cmd busybox toybox nu elvish xonsh
    eval exec source . command builtin coproc trap alias unalias enable hash noglob nocorrect -
    cd chdir pushd popd export declare typeset local readonly set unset shopt setopt unsetopt emulate ulimit umask
    sudo doas su runuser pkexec gosu su-exec setpriv capsh chroot unshare nsenter firejail bwrap systemd-run
    env xargs parallel nohup time timeout gtimeout nice ionice chrt taskset stdbuf unbuffer setsid setarch linux32 linux64
    flock watch watchexec entr nodemon script scriptreplay strace ltrace gdb lldb perf valgrind rr dtrace
    screen tmux byobu zellij expect socat nc ncat netcat telnet ssh sshpass autossh mosh rsh rexec slogin sftp
    crontab at batch atq systemctl launchctl service initctl rc-service
    npx pnpx bunx uvx pipx corepack dlx ts-node-dev concurrently npm-run-all run-p run-s wait-on start-server-and-test
    dotenv dotenvx direnv mise asdf nvm fnm volta pyenv rbenv conda mamba nix nix-shell nix-build guix devbox op doppler
    chamber aws-vault vault-exec infisical cross-env cross-env-shell env-cmd shx
    vi vim nvim view vimdiff ex ed emacs emacsclient nano pico micro less more most man info pg
    msfconsole osascript wscript cscript mshta rundll32 regsvr32 wsl start open xdg-open gio
    make-shell ld.so ld-linux.so ld-linux-x86-64.so run-parts start-stop-daemon daemonize dbus-run-session xvfb-run
    ansible ansible-playbook fab capistrano vagrant packer salt salt-ssh puppet chef-client
    git-shell git-upload-pack git-receive-pack scp mail sendmail mutt ftp lftp tftp rlwrap proxychains torsocks torify
  `),
);

/** The programs that are known better, by name. */
const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  // Version control.
  ...rows('git', {
    names: 1,
    runs: `filter-branch difftool mergetool send-email hook instaweb daemon credential citool gui web--browse shell
      cvsserver upload-pack receive-pack remote-ext remote-fd maintenance alias fast-import p4 svn imap-send`,
    wholes:
      'config submodule bisect clone remote worktree update-index apply am archive init format-patch bundle notes',
    options: `exec-path upload-pack receive-pack config-env git-dir work-tree namespace extcmd ext-diff textconv
      open-files-in-pager template filters to-cmd cc-cmd smtp-server sendmail-cmd interactive exec separate-git-dir
      super-prefix attr-source contents recurse-submodules edit-description`,
    letters: 'Ox',
  }),
  ...rows('hg svn jj', { names: 1, options: 'ssh', letters: 'R' }),
  ...rows('gh glab', {
    names: 2,
    runs: 'alias extension codespace ssh',
    wholes: 'api config auth secret',
    letters: 'w',
  }),
  // Packages and scripts. What is installed may run code of its own.
  ...rows('npm', {
    isLoader: true,
    names: 1,
    runs: 'exec x init create innit explore edit',
    wholes: 'install i in ins inst isnt add ci update up upgrade link ln rebuild rb publish config c set access token',
    options: 'script-shell node-options prefix userconfig globalconfig globaldir cache location browser viewer git',
    letters: 'CcerxoIfg',
  }),
  ...rows('yarn pnpm bun', {
    isLoader: true,
    names: 1,
    runs: 'dlx exec x create init node env',
    wholes: 'install i add update up upgrade link import publish config set plugin patch patch-commit',
    options: 'script-shell node-options dir shell-emulator modules-folder',
    letters: 'CcerxoIfg',
  }),
  ...rows('pip uv poetry pipenv pdm rye hatch', {
    names: 1,
    runs: 'run shell exec self tool python env',
    wholes: 'install add sync update upgrade config publish download wheel build pip',
    options: 'target root python index-url extra-index-url find-links editable',
    letters: 'teif',
  }),
  ...rows('cargo', {
    names: 1,
    runs: 'run r',
    wholes: 'install add config fix rustc rustdoc publish login',
    options: 'manifest-path target-dir',
    letters: 'CZ',
  }),
  ...rows('go', {
    isLoader: true,
    names: 1,
    hasOneDash: true,
    runs: 'run generate tool',
    wholes: 'get install env work mod',
    options: 'exec toolexec overlay modfile vettool ldflags gcflags asmflags compiler pkgdir o C',
  }),
  ...rows('bundle gem composer', {
    names: 1,
    runs: 'exec run run-script global',
    wholes: 'install add update require config open push',
    options: 'working-dir',
    letters: 'd',
  }),
  ...rows('dotnet', {
    names: 1,
    runs: 'run exec tool script watch',
    wholes: 'new add nuget',
    letters: 'po',
    options: 'logger settings',
  }),
  ...rows('apt apt-get dnf yum pacman brew port snap choco winget apk', { isWhole: true, runs: 'edit sh irb' }),
  ...rows('turbo nx lerna rush moon', { names: 2, hasTargets: true, runs: 'exec' }),
  // Builds: every further word is a target, and a variable can be a shell.
  ...rows('make gmake nmake ninja just task rake gradle gradlew mvn mvnw ant bazel scons gulp grunt invoke nox tox', {
    names: 1,
    hasTargets: true,
    runs: 'run',
    options: `file eval include-dir justfile taskfile rakefile init-script define project-prop build-file
      settings-file system-prop`,
    letters: 'fCIPDcbeE',
  }),
  ...rows('cmake', { isWhole: true }),
  ...rows('gcc g++ cc c++ clang clang++ ld rustc javac', { isWhole: true }),
  // Tests and linters load what their options name.
  ...rows('vitest jest mocha ava playwright cypress wdio karma tap', {
    isLoader: true,
    options: 'reporters resolver dir global-setup ui api open browser file spec node-option',
    letters: 'crCoO',
  }),
  ...rows('eslint oxlint biome prettier stylelint tslint', {
    isLoader: true,
    options: 'rulesdir parser stdin-filepath custom-formatter cache-location processor custom-syntax',
    letters: 'cofr',
  }),
  ...rows('tsc', {
    isLoader: true,
    options: 'project build declaration-dir ts-build-info-file generate-trace',
    letters: 'pb',
  }),
  ...rows('pytest', {
    isLoader: true,
    options: 'confcutdir override-ini basetemp junitxml pdb pdbcls log-file debug',
    letters: 'cpo',
  }),
  ...rows('ruff black mypy flake8 pylint isort', {
    options: 'python-executable init-hook load-plugins cache-dir junit-xml',
    letters: 'co',
  }),
  // Interpreters run a file that somebody wrote: the rule must name it.
  ...rows('node nodejs deno tsx ts-node python pypy ruby perl php lua luajit r rscript julia java kotlin scala', {
    isLoader: true,
    isCode: true,
  }),
  ...rows('groovy swift erl elixir iex escript racket guile sbcl clojure clj bb tclsh wish jshell irb ipython', {
    isLoader: true,
    isCode: true,
  }),
  ...rows('octave gnuplot', { isCode: true }),
  ...rows('awk gawk mawk nawk', { isCode: true, letters: 'fEelio', options: 'file source include' }),
  ...rows('sed gsed', { isCode: true, letters: 'eifw', options: 'expression file' }),
  ...rows('jq yq xq', { letters: 'fLi', options: 'from-file' }),
  // Databases: their languages read and write files and run programs.
  ...rows('psql mysql mariadb sqlite mongo mongosh redis-cli duckdb sqlcmd clickhouse-client cqlsh influx', {
    isWhole: true,
  }),
  // Machines and clusters.
  ...rows('docker podman nerdctl', {
    names: 1,
    runs: 'run exec',
    wholes:
      'build buildx context plugin cp create start attach commit load import save export swarm compose push rm rmi',
    options: 'volume mount host context privileged cap-add device',
    letters: 'HvecfI',
  }),
  ...rows('docker-compose', {
    names: 1,
    runs: 'run exec',
    wholes: 'cp up',
    letters: 'fpHe',
    options: 'file project env-file',
  }),
  ...rows('kubectl oc helm', {
    names: 2,
    runs: 'exec run debug attach plugin edit',
    wholes: `cp proxy port-forward apply create patch replace config delete scale rollout drain cordon label annotate
      install upgrade uninstall rollback template`,
    options: 'kubeconfig context cluster server as token post-renderer filename kube-context raw',
    letters: 'fks',
  }),
  ...rows('terraform tofu pulumi terragrunt', {
    names: 1,
    hasOneDash: true,
    runs: 'console exec',
    wholes: 'apply destroy up state import taint workspace config login init',
    options: 'chdir var-file backend-config plugin-dir out var state',
  }),
  ...rows('aws gcloud az doctl flyctl fly heroku vercel netlify wrangler supabase firebase', {
    names: 2,
    runs: 'ssh ssm run exec alias invoke',
    wholes: 'config configure deploy delete rm cp mv sync',
    options: 'endpoint-url profile cli-input-json token',
  }),
  // What they are given is written, moved or removed.
  ...rows('cp mv ln install dd tee rsync truncate shred rm rmdir unlink chmod chown chgrp chattr setfacl patch', {
    isWhole: true,
  }),
  ...rows('mkfs mount umount losetup kill pkill killall shutdown reboot halt poweroff mkfifo mknod rename', {
    isWhole: true,
  }),
  ...rows('split csplit uniq zip unzip 7z 7za gzip gunzip bzip2 xz zstd ar cpio pax tar gtar bsdtar', {
    isWhole: true,
  }),
  ...rows('openssl gpg ssh-keygen ssh-add ssh-copy-id age keytool', { isWhole: true }),
  // A request sends what it is given; a name may be any machine.
  ...rows('curl', {
    names: 1,
    letters: 'oOKTdFDcECHxeXJbQ',
    options: `remote-name output-dir upload-file data form dump-header cookie-jar cookie cert key header proxy preproxy
      socks request unix-socket connect-to resolve json url trace stderr engine netrc-file libcurl create-dirs etag-save
      hsts alt-svc variable expand quote mail telnet-option post next`,
  }),
  ...rows('wget', {
    names: 1,
    letters: 'OoaieBPxrmcU',
    options: `append-output post body input-file use-askpass directory-prefix header ca- method warc save`,
  }),
  // Reading, except for some options.
  ...rows('find gfind', { hasOneDash: true, options: 'exec execdir ok okdir delete fprint fls files0-from' }),
  ...rows('fd fdfind', { letters: 'xXC', options: 'base-directory search-path' }),
  ...rows('rg ripgrep ag ack', { letters: 'fz', options: 'pre pre-glob search-zip hostname-bin file ackrc' }),
  ...rows('grep egrep fgrep', { letters: 'f', options: 'file' }),
  ...rows('sort gsort', { letters: 'oT', options: 'compress-program files0-from temporary-directory random-source' }),
  ...rows('diff cmp comm', { letters: '', options: 'to-file from-file' }),
  ...rows('tree', { letters: 'oR' }),
  ...rows('ls cat head tail wc cut tr nl tac rev fold stat file du df pwd whoami id uname basename dirname', {
    letters: '',
  }),
  ...rows('realpath readlink echo printf true false test sleep seq which type uptime ps free mkdir touch', {
    letters: '',
  }),
  ...rows('md5sum sha1sum sha256sum sha512sum cksum base64 hexdump xxd od strings column paste join expr', {
    letters: '',
  }),
  ...rows('date hostname', { letters: 'sfFb', options: 'set file' }),
]);

/** Options that run programs, load code, write files or change the place, wherever they occur: names that begin so. */
export const GUARDED_STEMS: readonly string[] = words(`
  exec command cmd shell scriptshell eval require import loader config rcfile initfile pager editor plugin preload
  output outfile outdir prefix cwd chdir directory workdir workingdir rsh
  rootdir interpreter proxycommand nodeoptions envfile hook callback
  inspect entrypoint javaagent agentlib agentpath classpath makefile inplace
`);

/** The same, but only these names: what they begin with is common and harmless. */
export const GUARDED_NAMES: ReadonlySet<string> = new Set(
  words(`
    runner testrunner testenvironment globalsetup globalteardown setupfiles setupfilesafterenv transform userconfig
    globalconfig bodyfile postfile uploadfile uploadpack receivepack askpass useaskpass modulepath root workspaceroot
    basedir load wrapper gitdir worktree configenv extcmd chroot user group dir out write
    unsafeperm allowscripts node python ruby perl
  `),
);

/** Endings of options that name a module. A plain name is one that is installed; a path is whatever the agent wrote. */
export const MODULE_NAMES: readonly string[] = words(
  'reporter reporters format formatter preset parser environment env resolver serializers runner transform setup',
);

/** Letters of the options of a program that nobody here knows. */
export const UNKNOWN_LETTERS = 'CcerxoIf';

/** What Beckon knows about a program, by its name, however it is written. */
export function findProgram(name: string): { name: string; isRunner: boolean; program: Program | undefined } {
  const base = (name.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
  // `python3.12`, `pip3`, `g++-13`.
  const plain = base.replace(/(?<=[a-z+])-?\d+(?:\.\d+)*$/, '');
  const isRunner = RUNNERS.has(base) || RUNNERS.has(plain);
  return { name: base, isRunner, program: PROGRAMS.get(base) ?? PROGRAMS.get(plain) };
}

/** The words of a list. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

function rows(names: string, program: Program): [string, Program][] {
  return words(names).map((name) => [name, program]);
}
