/**
 * How many words say what a command does, by how it begins; the longest beginning counts. `git` alone says nothing, so
 * a rule for "`git commit` with any arguments" has two.
 */
const ARITIES: Readonly<Record<string, number>> = {
  apt: 2,
  'apt-get': 2,
  aws: 3,
  az: 3,
  brew: 2,
  bun: 2,
  'bun run': 3,
  bundle: 2,
  cargo: 2,
  composer: 2,
  conda: 2,
  deno: 2,
  'deno task': 3,
  docker: 2,
  'docker builder': 3,
  'docker compose': 3,
  'docker container': 3,
  'docker image': 3,
  'docker network': 3,
  'docker volume': 3,
  'docker-compose': 2,
  dotnet: 2,
  flutter: 2,
  gcloud: 3,
  gh: 3,
  git: 2,
  'git remote': 3,
  'git stash': 3,
  'git submodule': 3,
  'git worktree': 3,
  glab: 3,
  go: 2,
  'go mod': 3,
  gradle: 2,
  './gradlew': 2,
  helm: 2,
  just: 2,
  kubectl: 2,
  'kubectl config': 3,
  'kubectl rollout': 3,
  make: 2,
  mise: 2,
  'mise run': 3,
  mix: 2,
  mvn: 2,
  npm: 2,
  'npm run': 3,
  'npm run-script': 3,
  nx: 2,
  'nx run': 3,
  pip: 2,
  pip3: 2,
  pnpm: 2,
  'pnpm run': 3,
  podman: 2,
  poetry: 2,
  'poetry run': 3,
  'pre-commit': 2,
  pulumi: 2,
  rails: 2,
  rake: 2,
  ruff: 2,
  rustup: 2,
  swift: 2,
  systemctl: 2,
  task: 2,
  terraform: 2,
  tofu: 2,
  turbo: 2,
  'turbo run': 3,
  uv: 2,
  'uv pip': 3,
  'uv run': 3,
  yarn: 2,
  'yarn run': 3,
};

/** Programs whose first argument is what they work on, not what they do. */
const ONE_WORD: ReadonlySet<string> = new Set(
  (
    'basename biome black cat cmp column comm cut date df diff dirname du echo eslint expr file fold grep head hostname id ' +
    'jest jq ls mkdir mypy nl od oxlint paste prettier printf ps pwd pytest readlink realpath rg rspec seq sort stat ' +
    'tail test touch tr tree tsc type uname uniq vitest wc whereis which who whoami yq'
  ).split(' '),
);
/** What the name of a subcommand looks like. */
const SUBCOMMAND = /^[a-z][a-z0-9:-]*$/;

/**
 * The first words of a command: those that say what it does. `undefined` if they are not all there, or if one of them
 * is an option: what follows an option that comes first may be anything.
 */
export function toPrefix(words: readonly string[]): string[] | undefined {
  const [first = '', second = ''] = words;
  // Of an unknown program, a second word that may be a subcommand counts: the rule is rather too narrow than too wide.
  const guess = !ONE_WORD.has(first) && SUBCOMMAND.test(second) ? 2 : 1;
  const arity = lookUp(`${first} ${second}`) ?? lookUp(first) ?? guess;
  const prefix = words.slice(0, arity);
  return prefix.length === arity && prefix.every((word, index) => index === 0 || !word.startsWith('-'))
    ? prefix
    : undefined;
}

// The words are an agent's: `constructor` is not in the table.
function lookUp(start: string): number | undefined {
  return Object.hasOwn(ARITIES, start) ? ARITIES[start] : undefined;
}
