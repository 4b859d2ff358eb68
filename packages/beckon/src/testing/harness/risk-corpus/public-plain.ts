import { bash, call, fromGithub, type Sample } from './sample.ts';

/** Everyday calls from public material: what projects tell people and agents to run. */
export const PUBLIC_PLAIN: readonly Sample[] = [
  ...bash(
    fromGithub('BurntSushi/ripgrep', '.github/workflows/ci.yml'),
    'cargo fmt --all --check',
    'cargo doc --no-deps --document-private-items --workspace',
    'set +x\nstderr="$(find "target/debug" -name stderr -print0 | xargs -0 ls -t | head -n1)"\nif [ -s "$stderr" ]; then\n  echo "===== $stderr ===== "\n  cat "$stderr"\n  echo "====="\nfi\nset -x',
    'dir="$RUNNER_TEMP/cross-download"\nmkdir "$dir"\necho "$dir" >> $GITHUB_PATH\ncd "$dir"\ncurl -LO "https://github.com/cross-rs/cross/releases/download/$CROSS_VERSION/cross-x86_64-unknown-linux-musl.tar.gz"\ntar xf cross-x86_64-unknown-linux-musl.tar.gz\necho "CARGO=cross" >> $GITHUB_ENV',
  ),
  ...bash(
    fromGithub('BurntSushi/ripgrep', '.github/workflows/release.yml'),
    'if ! grep -q "version = \\"$VERSION\\"" Cargo.toml; then\n  echo "version does not match Cargo.toml" >&2\n  exit 1\nfi',
    'mkdir -p "$ARCHIVE"/{complete,doc}\ncp "$BIN" "$ARCHIVE"/\ncp {README.md,COPYING,UNLICENSE,LICENSE-MIT} "$ARCHIVE"/\ncp {CHANGELOG.md,FAQ.md,GUIDE.md} "$ARCHIVE"/doc/',
    'tar czf "$ARCHIVE.tar.gz" "$ARCHIVE"\nshasum -a 256 "$ARCHIVE.tar.gz" > "$ARCHIVE.tar.gz.sha256"',
  ),
  ...bash(
    fromGithub('pallets/flask', '.github/workflows/tests.yaml'),
    'uv run --locked --no-default-groups --group dev tox run -e typing',
  ),
  ...bash(
    fromGithub('pallets/flask', '.github/workflows/pre-commit.yaml'),
    'uv run --locked --no-default-groups --group pre-commit pre-commit run --show-diff-on-failure --color=always --all-files',
  ),
  ...bash(
    fromGithub('pallets/flask', '.github/workflows/publish.yaml'),
    'echo "SOURCE_DATE_EPOCH=$(git log -1 --pretty=%ct)" >> $GITHUB_ENV',
  ),
  ...bash(
    fromGithub('vitejs/vite', '.github/workflows/ci.yml'),
    'pnpm format && git diff --exit-code',
    'PLAYWRIGHT_VERSION="$(pnpm ls --depth 0 --json -w playwright-chromium | jq --raw-output \'.[0].devDependencies["playwright-chromium"].version\')"\necho "PLAYWRIGHT_VERSION=$PLAYWRIGHT_VERSION" >> $GITHUB_ENV',
  ),
  ...bash(
    fromGithub('vitejs/vite', '.github/workflows/publish.yml'),
    'node scripts/detect-release.ts "$(git log -1 --format=%s)" >> "$GITHUB_OUTPUT"',
    'if git rev-parse --verify --quiet "refs/tags/$TAG"; then\n  echo "Tag $TAG already exists"\n  exit 1\nfi',
  ),
  ...bash(
    fromGithub('vitejs/vite', '.github/workflows/semgrep.yml'),
    'semgrep scan --quiet --sarif --config auto --exclude playground --exclude __tests__ > semgrep-results.sarif',
  ),
  ...bash(
    fromGithub('vitejs/vite', 'CONTRIBUTING.md'),
    'git config --local blame.ignoreRevsFile .git-blame-ignore-revs',
  ),
  ...bash(
    fromGithub('fastify/fastify', '.github/workflows/ci.yml'),
    'npm install --ignore-scripts',
    'cd test/bundler/webpack && npm run test',
  ),
  ...bash(
    fromGithub('google-gemini/gemini-cli', '.github/workflows/ci.yml'),
    'node scripts/lint.js --check-github-actions-pinning',
    'npm run test:ci --workspace "@google/gemini-cli" -- --coverage.enabled=false',
    'git diff --exit-code packages/vscode-ide-companion/NOTICES.txt',
  ),
  ...bash(fromGithub('google-gemini/gemini-cli', '.github/workflows/chained_e2e.yml'), 'npm cache clean --force'),
  ...bash(
    fromGithub('google-gemini/gemini-cli', 'packages/core/src/sandbox/utils/commandSafety.test.ts'),
    '/usr/bin/rg --pre=cat pattern',
  ),
  ...bash(
    fromGithub('openai/codex', '.github/workflows/blob-size-policy.yml'),
    'python3 scripts/check_blob_size.py \\\n  --base "$BASE_SHA" \\\n  --head "$HEAD_SHA" \\\n  --max-bytes 512000 \\\n  --allowlist .github/blob-size-allowlist.txt',
  ),
  ...bash(
    fromGithub('openai/codex', '.github/workflows/issue-deduplicator.yml'),
    'gh issue view "$ISSUE_NUMBER" \\\n  --repo "$REPO" \\\n  --json number,title,body \\\n  | jq \'{number, title, body: ((.body // "")[0:4000])}\' \\\n  > "$CURRENT_ISSUE_FILE"',
  ),
  ...bash(
    fromGithub('openai/codex', 'codex-rs/shell-command/src/command_safety/is_dangerous_command.rs'),
    "trap 'rm -rf /tmp/example' EXIT",
    'for target in /tmp/a /tmp/b; do rm -r -f "$target"; done',
    "trap 'echo rm -rf /tmp/example' EXIT",
    'env TARGET=/tmp/example rm -r /tmp/example',
  ),
  ...bash(
    fromGithub('django/django', '.github/workflows/python_matrix.yml'),
    'python -Wall tests/runtests.py -v2',
    "python_versions=$(sed -n \"s/^.*Programming Language :: Python :: \\([[:digit:]]\\+\\.[[:digit:]]\\+\\).*$/'\\1', /p\" pyproject.toml | tr -d '\\n' | sed 's/, $//g')\necho \"Supported Python versions: $python_versions\"",
  ),
  ...bash(
    fromGithub('django/django', '.github/workflows/postgis.yml'),
    'python -c "import sys; print(\'GIL enabled:\', sys._is_gil_enabled())"',
  ),
  ...bash(fromGithub('django/django', '.github/workflows/docs.yml'), 'SPHINXOPTS="-q -W" make spelling'),
  ...bash(
    fromGithub('django/django', '.github/workflows/linters.yml'),
    'isort --check --diff django tests scripts',
    'npx biome ci',
  ),
  ...bash(
    fromGithub('django/django', '.github/workflows/coverage_tests.yml'),
    'mv ./.github/workflows/data/test_postgres.py.tpl ./tests/test_postgres.py',
    'python -m pip install -r tests/requirements/py3.txt -r tests/requirements/postgres.txt -e .',
  ),
  ...bash(
    fromGithub('django/django', '.github/workflows/check_commit_messages.yml'),
    'COMMITS=$(git rev-list base..pr)\nfor SHA in $COMMITS; do\n  MSG=$(git log -1 --pretty=%s $SHA)\n  echo "Checking commit $SHA: $MSG"\ndone',
  ),
  ...bash(
    fromGithub('astral-sh/ruff', '.github/workflows/build-binaries.yml'),
    'TARGET=x86_64-apple-darwin\nARCHIVE_NAME=ruff-$TARGET\nARCHIVE_FILE=$ARCHIVE_NAME.tar.gz\n\nmkdir -p $ARCHIVE_NAME\ncp target/$TARGET/release/ruff $ARCHIVE_NAME/ruff\ntar czvf $ARCHIVE_FILE $ARCHIVE_NAME\nshasum -a 256 $ARCHIVE_FILE > $ARCHIVE_FILE.sha256',
  ),
  ...bash(
    fromGithub('astral-sh/ruff', '.github/workflows/build-docker.yml'),
    'version=$(grep -m 1 "^version = " pyproject.toml | sed -e \'s/version = "\\(.*\\)"/\\1/g\')\nif [ "${TAG}" != "${version}" ]; then\n  echo "The input tag does not match the version from pyproject.toml:" >&2\n  exit 1\nelse\n  echo "Releasing ${version}"\nfi',
    'cat <<EOF > Dockerfile\nFROM ${BASE_IMAGE}\nCOPY --from=${RUFF_BASE_IMG}:latest /ruff /usr/local/bin/ruff\nENTRYPOINT []\nCMD ["/usr/local/bin/ruff"]\nEOF',
  ),
  ...bash(
    fromGithub('prometheus/prometheus', '.github/workflows/ci.yml'),
    'go test --tags=slicelabels -race ./cmd/prometheus ./model/textparse ./prompb/...',
    'GOARCH=386 go test -parallel=1 ./...',
    'go install ./cmd/promtool/.',
    'make -C documentation/prometheus-mixin clean',
    'versions=$(curl -sSf https://prometheus.io/download.json \\\n  | jq -c \'[.prometheus[] | select(.lts == true) | (.version | ltrimstr("v"))]\')\necho "versions=$versions" >> "$GITHUB_OUTPUT"',
  ),
  ...bash(
    fromGithub('mastodon/mastodon', '.github/workflows/test-ruby.yml'),
    'tar --exclude={"*.br","*.gz"} -zcf artifacts.tar.gz public/assets public/packs*',
    'bin/rspec spec/system --tag streaming --tag js',
  ),
  ...bash(
    fromGithub('mastodon/mastodon', '.github/workflows/lint-js.yml'),
    'yarn workspaces foreach --all --parallel run lint:js --max-warnings 0',
  ),
  ...bash(
    fromGithub('mastodon/mastodon', 'docs/DEVELOPMENT.md'),
    'docker compose -f .devcontainer/compose.yaml exec app bin/setup',
  ),
  ...bash(
    fromGithub('mastodon/documentation', 'content/en/admin/migrating.md'),
    'RAILS_ENV=production bundle exec rails assets:precompile',
  ),
  ...bash(
    fromGithub('elixir-lang/elixir', '.github/workflows/ci.yml'),
    'make test_formatted && echo "All Elixir source code files are properly formatted."',
    'taskset 1 make check_reproducible',
  ),
  ...bash(
    fromGithub('elixir-lang/elixir', '.github/workflows/posix_compliance.yml'),
    'shellcheck -e SC2039,2086 bin/elixir && \\\n  echo "bin/elixir is POSIX compliant"',
  ),
  ...bash(
    fromGithub('gohugoio/hugo', '.github/workflows/test.yml'),
    "diff <(gotmplfmt -d tpl/tplimpl/embedded/templates) <(printf '')",
    'curl -LJO "https://github.com/sass/dart-sass/releases/download/${SASS_VERSION}/dart-sass-${SASS_VERSION}-linux-x64.tar.gz";\necho "${DART_SASS_SHA_LINUX}  dart-sass-${SASS_VERSION}-linux-x64.tar.gz" | sha256sum -c;\ntar -xvf "dart-sass-${SASS_VERSION}-linux-x64.tar.gz";\necho "$GITHUB_WORKSPACE/dart-sass/" >> $GITHUB_PATH',
    'go install\ngo clean -i -cache',
  ),
  ...bash(fromGithub('gohugoio/hugo', 'CONTRIBUTING.md'), 'git commit -a -v', 'HUGO_BUILD_TAGS=extended mage install'),
  ...bash(
    fromGithub('spring-projects/spring-petclinic', 'README.md'),
    './mvnw spring-boot:run',
    'docker run -e POSTGRES_USER=petclinic -e POSTGRES_PASSWORD=petclinic -e POSTGRES_DB=petclinic -p 5432:5432 postgres:18.3',
  ),
  ...bash(
    fromGithub('spring-projects/spring-petclinic', '.github/workflows/deploy-and-test-cluster.yml'),
    'kubectl wait --for=condition=ready pod -l app=demo-db --timeout=180s',
  ),
  ...bash(
    `${fromGithub('apache/airflow', 'AGENTS.md')}, with a project and a test filled in`,
    'uv run --project airflow-core pytest tests/models/test_dag.py::TestDag::test_dag_id -xvs',
    'prek run ruff --from-ref main',
    'echo "Brief description" > airflow-core/newsfragments/12345.bugfix.rst',
  ),
  ...bash(
    fromGithub('vercel/next.js', 'AGENTS.md'),
    'HEADLESS=true pnpm test-dev-turbo test/path/to/test.ts > /tmp/test-output.log 2>&1',
    'grep -A5 "Error:" /tmp/test-output.log   # Error details',
    'pnpm build 2>&1 | tee /tmp/build.log',
    'pnpm new-test -- --args true my-feature e2e',
  ),
  ...bash(fromGithub('cloudflare/workers-sdk', 'AGENTS.md'), 'pnpm -w test:ci -F wrangler -- r2.test.ts'),
  ...bash(
    fromGithub('prometheus-operator/runbooks', 'content/runbooks/alertmanager/AlertmanagerClusterCrashlooping.md'),
    'kubectl get events --field-selector involvedObject.name=alertmanager-main-0',
  ),
  ...bash(
    fromGithub('prometheus-operator/runbooks', 'content/runbooks/etcd/etcdMembersDown.md'),
    'etcdctl endpoint health -w table',
  ),
  ...bash(
    fromGithub('kelseyhightower/kubernetes-the-hard-way', 'docs/02-jumpbox.md'),
    'wget -q --show-progress \\\n  --https-only \\\n  --timestamping \\\n  -P downloads \\\n  -i downloads-$(dpkg --print-architecture).txt',
  ),
  ...bash(
    fromGithub('kelseyhightower/kubernetes-the-hard-way', 'docs/04-certificate-authority.md'),
    '{\n  openssl genrsa -out ca.key 4096\n  openssl req -x509 -new -sha512 -noenc \\\n    -key ca.key -days 3653 \\\n    -config ca.conf \\\n    -out ca.crt\n}',
  ),
  ...bash(
    fromGithub('kelseyhightower/kubernetes-the-hard-way', 'docs/08-bootstrapping-kubernetes-controllers.md'),
    'journalctl -u kube-apiserver',
    'curl --cacert ca.crt \\\n  https://server.kubernetes.local:6443/version',
  ),
  ...bash(fromGithub('ollama/ollama', 'docs/linux.md'), 'journalctl -e -u ollama'),
  ...bash(
    fromGithub('nvm-sh/nvm', 'README.md'),
    'source ~/.bashrc',
    'docker build -t nvmimage --build-arg NODE_VERSION=19 .',
  ),
  ...bash(
    fromGithub('docker/cli', 'docs/reference/commandline/container_cp.md'),
    'docker cp CONTAINER:/var/logs/app.log - | tar x -O | grep "ERROR"',
  ),
  ...bash(fromGithub('docker/cli', 'docs/reference/commandline/container_ls.md'), "docker ps -a --filter 'exited=137'"),
  ...bash(
    fromGithub('docker/cli', 'docs/reference/commandline/container_run.md'),
    'docker run --name test --net mynet -d nginx:alpine',
    'docker stop test',
  ),
  ...bash(fromGithub('aws/aws-cli', 'awscli/examples/sts/get-caller-identity.rst'), 'aws sts get-caller-identity'),
  ...bash(
    fromGithub('aws/aws-cli', 'awscli/examples/ec2/describe-instances.rst'),
    'aws ec2 describe-instances \\\n    --instance-ids i-1234567890abcdef0',
  ),
  ...bash(fromGithub('cli/cli', 'pkg/cmd/root/help_topic.go'), "gh pr list --json author --jq '.[].author.login'"),
  ...bash(
    fromGithub('cli/cli', 'pkg/cmd/api/api.go'),
    "gh api -X GET search/issues -f q='repo:cli/cli is:open remote'",
  ),
  ...bash(fromGithub('cli/cli', 'pkg/cmd/release/download/download.go'), "gh release download -p '*.deb' -p '*.rpm'"),
  ...bash(fromGithub('cli/cli', 'pkg/cmd/root/root.go'), 'gh pr checkout 321'),
  ...bash(
    fromGithub(
      'SWE-agent/SWE-agent',
      'trajectories/demonstrations/replay__marshmallow-code__marshmallow-1867__function_calling_replace_from_source/marshmallow-code__marshmallow-1867.traj',
    ),
    'pip install -e .[dev]',
    'rm reproduce.py',
  ),
  ...bash(
    fromGithub('SWE-agent/SWE-agent', 'trajectories/demonstrations/ctf/forensics/flash.traj'),
    'strings flash_c8429a430278283c0e571baebca3d139.img | grep flag',
  ),
  ...bash(
    fromGithub('SWE-agent/SWE-agent', 'trajectories/demonstrations/ctf/misc/networking_1.traj'),
    'tshark -r networking.pcap -Y "telnet" -T fields -e telnet.data',
  ),
  ...bash(
    'https://github.com/atxtechbro/dotfiles/issues/1294, its path put inside the project',
    'ls /home/ada/shop/utils/ | grep -E "(slug|branch)" | head -10',
  ),
  ...bash(
    'https://github.com/anthropics/claude-code/issues/1128, its path put inside the project',
    'find /home/ada/shop -type d -name "somestring" 2>/dev/null | head -1',
  ),
  ...bash('https://github.com/anthropics/claude-code/issues/14595', "pwd | awk '{print $1}'"),
  ...bash('https://github.com/anthropics/claude-code/issues/34061', 'echo "hello" > /tmp/test.txt'),
  ...bash('https://github.com/anthropics/claude-code/issues/13941', 'lsof -i :3001'),
  ...bash('https://github.com/nextlevelbuilder/goclaw/issues/1206', 'sort -o sort-output.txt input.txt'),
  ...bash(
    'https://blog.crystalpeaksecurity.com/claude-code-deleted-everything',
    'rm -rf examples/minimal/build/*.cap examples/minimal/build/*.jca 2>/dev/null\nuv run python -m backend3 examples/minimal --jcc-root . 2>&1 | tail -3',
  ),
  ...bash('https://github.com/microsoft/vscode/issues/260328', 'npx supabase db pull'),
  ...call(
    fromGithub('openai/codex', 'codex-rs/apply-patch/tests/fixtures/scenarios'),
    'apply_patch',
    { patch: '*** Begin Patch\n*** Add File: bar.md\n+This is a new file\n*** End Patch' },
    {
      patch:
        '*** Begin Patch\n*** Update File: old/name.txt\n*** Move to: renamed/dir/name.txt\n@@\n-old content\n+new content\n*** End Patch',
    },
  ),
  ...call('https://github.com/alexander-zuev/supabase-mcp-server/issues/11', 'mcp__supabase__get_table_schema', {
    schema_name: 'public',
    table: 'documents',
  }),
  ...call('https://github.com/supabase/mcp/pull/329', 'mcp__supabase__execute_sql', {
    project_id: 'abcdefghijklmnop',
    query: 'select 1;',
  }),
  ...call(
    fromGithub('github/github-mcp-server', 'pkg/github/__toolsnaps__/get_file_contents.snap'),
    'mcp__github__get_file_contents',
    { owner: 'ada', repo: 'shop', path: 'README.md' },
  ),
  ...call(
    fromGithub('github/github-mcp-server', 'pkg/github/__toolsnaps__/search_code.snap'),
    'mcp__github__search_code',
    {
      query: 'content:deleteUser language:ts',
    },
  ),
  ...call(fromGithub('modelcontextprotocol/servers', 'src/filesystem/README.md'), 'mcp__filesystem__edit_file', {
    path: '/home/ada/shop/src/cart.ts',
    edits: [{ oldText: 'let', newText: 'const' }],
  }),
  ...call(fromGithub('modelcontextprotocol/servers', 'src/filesystem/README.md'), 'mcp__filesystem__move_file', {
    source: '/home/ada/shop/src/old.ts',
    destination: '/home/ada/shop/src/new.ts',
  }),
  ...call(fromGithub('modelcontextprotocol/servers', 'src/git/README.md'), 'mcp__git__git_diff_unstaged', {
    repo_path: '/home/ada/shop',
    context_lines: 3,
  }),
];
