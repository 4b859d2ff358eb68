import { expect, test } from 'vitest';
import { describeRule } from './describe-rule.ts';
import { importCodex } from './import-codex.ts';

const sentences = (text: string): string[] => importCodex(text).drafts.map(({ draft }) => describeRule(draft));

test('reads prefix rules with alternatives, decisions, reasons and examples', () => {
  const { drafts, skipped } = importCodex(
    `# Rules of the team
prefix_rule(
    pattern = ["gh", "pr", ["view", 'list']],  # reading only
    decision = "allow",
    justification = "Reading is fine.",
    match = ["gh pr view 7", ["gh", "pr", "list", "a b"]],
    not_match = ["gh pr merge 7"],
)

prefix_rule(pattern=["git", "push"], decision="prompt")
prefix_rule(pattern=["git", "push", "--force"], decision="forbidden", justification="Use \\"--force-with-lease\\".")
prefix_rule(pattern=["npm", "test"])
`,
    { folder: '/home/ada/webshop' },
  );
  expect(skipped).toEqual([]);
  expect(drafts.map(({ draft }) => describeRule(draft))).toEqual([
    'Allow `gh pr view` and `gh pr list` with any arguments, in /home/ada/webshop.',
    'Ask before `git push` with any arguments, in /home/ada/webshop.',
    'Deny `git push --force` with any arguments, in /home/ada/webshop.',
    'Allow `npm test` with any arguments, in /home/ada/webshop.',
  ]);
  expect(drafts[0]?.draft).toMatchObject({
    reason: 'Reading is fine.',
    examples: { match: ['gh pr view 7', "gh pr list 'a b'"], notMatch: ['gh pr merge 7'] },
  });
  expect(drafts[2]?.draft.reason).toBe('Use "--force-with-lease".');
  expect(drafts[3]?.from).toBe('line 12: prefix_rule(pattern=["npm", "test"])');
});

test('what no rule can allow is skipped with the reason', () => {
  const { drafts, skipped } = importCodex(`prefix_rule(pattern=["bash", "-lc"])
prefix_rule(pattern=["git"], decision="allow")
prefix_rule(pattern=["npm", "test"], decision="allow")`);
  expect(drafts).toHaveLength(1);
  expect(skipped.map(({ text }) => text.slice(0, 7))).toEqual(['line 1:', 'line 2:']);
});

test('hosts and networks are listed; the rest stays', () => {
  const { drafts, skipped } = importCodex(`host_executable(name = "git", paths = ["/usr/bin/git"])
network_rule(host="api.example.com", protocol="https", decision="deny")
network_rule(host="api.example.com", protocol="https", decision="allow")
prefix_rule(pattern=["npm", "test"])`);
  expect(drafts).toHaveLength(1);
  expect(skipped.map(({ why }) => why)).toEqual([
    expect.stringMatching(/ties a name to files/),
    expect.stringMatching(/^It denied this, and Beckon will not: .*sandbox/),
    expect.stringMatching(/^It is about the network/),
  ]);
});

test.each<[string, RegExp]>([
  ['for x in y: z(x)', /Expected \( and got x/],
  ['FORBIDDEN = ["rm"]', /Expected \( and got =/],
  ['prefix_rule(pattern=["rm"] + MORE, decision="forbidden")', /Did not expect \+/],
  ['prefix_rule(pattern=["rm"], decision=D)', /Expected a text or a list, got D/],
  ['prefix_rule(["rm"], decision="forbidden")', /Expected an argument with a name, got \[/],
  ['prefix_rule(pattern=["rm"], pattern=["dd"])', /pattern is there twice/],
  ['prefix_rule(pattern=["rm"]).x', /follows the call/],
  ['prefix_rule(pattern=["rm"])(1)', /follows the call/],
  ['prefix_rule(pattern=["rm"]', /Expected \) and got prefix_rule/],
  ['prefix_rule(pattern=["rm" "x"])', /Expected \] and got "x"/],
  ['prefix_rule(pattern=[r"rm"])', /plain quotes/],
  ['prefix_rule(pattern=["""rm"""])', /plain quotes/],
  ['prefix_rule(pattern=["r\\x6d"])', /escape \\x/],
  ['prefix_rule(pattern=[[[[[["rm"]]]]]])', /too deep/],
  ['prefix_rule(pattern="rm", decision="forbidden")', /pattern is not a list of words/],
  ['prefix_rule(pattern=[], decision="forbidden")', /pattern is not a list of words/],
  ['prefix_rule(pattern=["rm", 7], decision="forbidden")', /pattern is not a list of words/],
  ['prefix_rule(pattern=["rm", []], decision="forbidden")', /pattern is not a list of words/],
  ['prefix_rule(decision="forbidden")', /pattern is not a list of words/],
  ['prefix_rule(pattern=["rm"], decision="never")', /none of allow, prompt and forbidden/],
  ['prefix_rule(pattern=["rm"], decision=True)', /none of allow, prompt and forbidden/],
  ['prefix_rule(pattern=["rm"], decision="forbidden", when="night")', /argument when/],
  ['prefix_rule(pattern=["rm"], decision="forbidden", match="rm")', /examples are not lists/],
  ['prefix_rule(pattern=["rm"], decision="forbidden", not_match=[None])', /examples are not lists/],
  ['regex_rule(pattern="rm.*")', /does not know regex_rule/],
])('nothing is allowed beside %s, which may deny anything', (line, why) => {
  const { drafts, skipped } = importCodex(
    `prefix_rule(pattern=["npm", "test"])\n${line}\nprefix_rule(pattern=["git", "push"], decision="prompt")\n`,
  );
  expect(drafts.map(({ draft }) => draft.effect)).toEqual(['ask']);
  expect(skipped[0]).toMatchObject({ text: `line 2: ${line}`, why: expect.stringMatching(why) });
  expect(skipped[0]?.why).toMatch(/denied/);
  expect(skipped[1]?.why).toMatch(/^Part of it is not allowed by a rule that is skipped: line 2/);
});

test('nothing is allowed beside another file that Beckon cannot read', () => {
  const { skipped } = importCodex('load("x.star")');
  expect(importCodex('prefix_rule(pattern=["npm", "test"])', {}, skipped).drafts).toEqual([]);
});

test('a file that ends inside a call says so', () => {
  expect(importCodex('prefix_rule(pattern=["rm"').skipped[0]?.why).toMatch(/The file ends inside a call/);
});

test('an empty file has no rules', () => {
  expect(importCodex('\n# nothing\n')).toEqual({ drafts: [], skipped: [] });
  expect(sentences("prefix_rule(pattern=['ls'],)")).toEqual(['Allow `ls` with any arguments, everywhere.']);
  expect(sentences('prefix_rule(pattern=["npm", "test",], justification="", \\\n decision="allow")')).toHaveLength(1);
});
