/** How the command inside a command is found. */
export interface Wrapper {
  /** Options that take the next word as their value. */
  valued?: RegExp;
  /** How many words before the command are its own, such as the time of `timeout`. */
  own?: number;
  /** The words after the options are one text for a shell, as they are for `ssh` and `watch`; or only the first is. */
  isText?: true | 'first';
  /** Options whose value is a text for a shell. */
  text?: RegExp;
  /** The command begins after this word only. */
  after?: RegExp;
  /** Words without which it runs nothing: `npm exec`, `git bisect run`. */
  verbs?: readonly string[];
}

const plain: Wrapper = {};
const windowsShell: Wrapper = { after: /^(?:-command|-c|\/c|\/k)$/i, isText: true };
const shell: Wrapper = {
  text: /^-[a-zA-Z]*c[a-zA-Z]*$|^--command$/,
  valued: /^(?:[-+]o|--rcfile|--init-file)$/,
  own: 99,
};

/** Programs that run their arguments. Only what stands here is unwrapped; nobody can list them all. */
const WRAPPERS: ReadonlyMap<string, readonly Wrapper[]> = new Map(
  Object.entries({
    'sh bash zsh dash ksh mksh ash fish rbash csh tcsh': [shell],
    'pwsh powershell pwsh.exe powershell.exe cmd cmd.exe': [windowsShell],
    'nohup setsid builtin command unbuffer ltrace busybox toybox dbus-run-session catchsegv proxychains proxychains4 torsocks rlwrap':
      [plain],
    'sudo sudoedit': [
      {
        valued:
          /^-[a-zA-Z]*[ugpCTRDUrth]$|^--(?:user|group|prompt|chdir|chroot|host|role|type|other-user|close-from|command-timeout)$/,
      },
    ],
    doas: [{ valued: /^-[uCa]$/ }],
    'su runuser': [{ text: /^-[a-z]*c$|^--(?:session-)?command$/, own: 99 }],
    pkexec: [{ valued: /^--user$/ }],
    env: [
      { valued: /^-[uC]$|^--(?:unset|chdir)$/ },
      { text: /^-[a-z]*S$|^--split-string$/, valued: /^-[uC]$/, own: 99 },
    ],
    'time gtime': [{ valued: /^-[fo]$|^--(?:format|output)$/ }],
    exec: [{ valued: /^-a$/ }],
    nice: [{ valued: /^(?:-n|--adjustment)$/ }],
    ionice: [{ valued: /^-[cn]$/ }],
    chrt: [{ own: 1 }],
    taskset: [{ own: 1 }],
    'timeout gtimeout': [{ valued: /^-[sk]$|^--(?:signal|kill-after)$/, own: 1 }],
    stdbuf: [{ valued: /^-[ioe]$/ }],
    'watch viddy': [{ valued: /^-[nq]$|^--interval$/, isText: true }],
    'xargs gxargs': [{ valued: /^-[IiLnPsEda]$|^--(?:max-args|max-procs|replace|delimiter|arg-file|max-lines)$/ }],
    'parallel rush': [
      { valued: /^-[jnNIaSP]$|^--(?:jobs|colsep|arg-file|results|joblog|timeout|delay)$/, isText: true },
    ],
    'find gfind': [{ after: /^-(?:exec|execdir|ok|okdir)$/ }],
    'fd fdfind': [{ after: /^(?:-x|-X|--exec|--exec-batch)$/ }],
    eval: [{ isText: true }],
    trap: [{ isText: 'first' }],
    'ssh autossh': [{ valued: /^-[bcDEeFIiJLlmOopQRSWw]$/, own: 1, isText: true }],
    'mosh et': [{ own: 1 }],
    'chroot flock': [{ own: 1 }, { text: /^(?:-c|--command)$/, own: 99 }],
    'strace dtruss': [{ valued: /^-[oepsuEPSab]$/ }],
    'unshare nsenter bwrap firejail systemd-run systemd-inhibit caffeinate': [
      { valued: /^-[tupSGMw]$|^--(?:unit|on-calendar|on-active|property|target|setenv|description)$/ },
    ],
    script: [{ text: /^-[a-z]*c$|^--command$/, own: 99 }],
    expect: [{ text: /^-c$/, own: 99 }],
    'xvfb-run': [{ valued: /^-[nsef]$|^--server-args$/ }],
    'docker podman nerdctl': [
      { verbs: ['exec'], valued: /^-[euw]$|^--(?:env|user|workdir|env-file)$/, own: 1 },
      {
        verbs: ['run'],
        valued:
          /^-[epuvwhlm]$|^--(?:env|env-file|name|user|volume|workdir|network|mount|publish|entrypoint|platform|memory|cpus|add-host|label|hostname|gpus|pull)$/,
        own: 1,
      },
      { verbs: ['compose', 'exec'], valued: /^-[euw]$/, own: 1 },
      { verbs: ['compose', 'run'], valued: /^-[euwv]$|^--name$/, own: 1 },
    ],
    'docker-compose': [
      { verbs: ['exec'], valued: /^-[euw]$/, own: 1 },
      { verbs: ['run'], valued: /^-[euwv]$/, own: 1 },
    ],
    'kubectl oc': [{ after: /^--$/ }],
    git: [
      { verbs: ['bisect', 'run'] },
      { verbs: ['submodule', 'foreach'], isText: true },
      { verbs: ['filter-branch'], text: /^--(?:tree|index|env|msg|commit)-filter$/, own: 99 },
      { verbs: ['rebase'], text: /^(?:-x|--exec)$/, own: 99 },
    ],
    'npm pnpm yarn bun': [{ verbs: ['exec'], text: /^(?:-c|--call)$/ }],
    'uv poetry pipenv rye hatch pdm': [{ verbs: ['run'], valued: /^--(?:with|python|project|extra|group)$/ }],
    'bundle direnv mise asdf': [{ verbs: ['exec'] }],
    'op doppler infisical dotenv dotenvx chamber aws-vault vault-env': [{ after: /^--$/ }],
    'nix-shell nix': [{ text: /^(?:--run|--command|-c)$/, own: 99 }],
    'tmux screen': [
      { verbs: ['new-session'], valued: /^-[stcnxy]$/, isText: true },
      { verbs: ['new'], valued: /^-[stcnxy]$/, isText: true },
      { verbs: ['new-window'], valued: /^-[tcn]$/, isText: true },
      { verbs: ['send-keys'], valued: /^-t$/, isText: true },
      { verbs: ['-dmS'], own: 1 },
      { verbs: ['-dm'] },
    ],
    'concurrently npm-run-all hyperfine entr': [{ valued: /^-[nkcp]$|^--(?:names|warmup|runs)$/, isText: true }],
    'nodemon watchexec': [{ text: /^(?:-x|--exec)$/, valued: /^-[we]$/, isText: true }],
    wsl: [{ valued: /^-[du]$/ }],
  } satisfies Record<string, readonly Wrapper[]>).flatMap(([names, wrappers]) =>
    names.split(' ').map((name): [string, readonly Wrapper[]] => [name, wrappers]),
  ),
);

/** The wrappers of a program, by its name without the folder. */
export function wrappersOf(program: string): readonly Wrapper[] {
  return WRAPPERS.get(program) ?? [];
}

const SHELLS = /^(?:ba|z|da|k|mk|a|fi|rba|c|tc)?sh$/;

/** Whether a program is a shell that runs what it reads. */
export function isShell(program: string): boolean {
  return SHELLS.test(program);
}
