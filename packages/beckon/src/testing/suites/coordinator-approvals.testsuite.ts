import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ApprovalOptions } from '../../coordinator/interaction-coordinator.ts';
import type { PermissionResult } from '../../coordinator/results.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { ADA, CHAT, type CreateCoordinatorWorld, useCoordinator } from './use-coordinator.ts';

const INPUT = { command: 'rm -rf build' };

/** Approvals of tool calls. */
export function testCoordinatorApprovals(create: CreateCoordinatorWorld): void {
  const tested = useCoordinator(create);

  const approve = (input: JsonObject = INPUT, options: ApprovalOptions = {}, tool = 'Bash') =>
    tested.coordinator.handleApproval(CHAT, tool, input, options);

  test.for([
    ['allow', { behavior: 'allow', updatedInput: INPUT }],
    ['yes', { behavior: 'allow', updatedInput: INPUT }],
    ['deny', { behavior: 'deny', message: 'ada denied Bash.' }],
    ['no', { behavior: 'deny', message: 'ada denied Bash.' }],
  ] as const)('"%s" is %o', async ([word, expected]) => {
    const result = approve();
    expect(await tested.asked()).toMatchObject({ kind: 'approval', request: { tool: 'Bash', input: INPUT } });
    expect(await tested.person.resolveOption((await tested.asked()).id, word, ADA)).toBe(true);
    expect(await result).toEqual(expected);
    expect(tested.events.map(({ type }) => type)).toEqual(['INTERACTION_REQUESTED', 'INTERACTION_RESOLVED']);
  });

  test('one press of "allow", or a typed yes, does not allow what is dangerous; "allow anyway" does', async () => {
    const result = approve({ command: 'git push --force origin main' });
    const { id } = await tested.asked();
    for (const word of ['allow', 'yes']) expect(await tested.person.resolveOption(id, word, ADA)).toBe(false);
    expect(await tested.person.resolveText(CHAT, 'yes', ADA)).toBe(true);
    expect(await tested.world.person.get(id)).toMatchObject({ status: 'pending' });
    expect(tested.connector.prompts.map(({ text }) => text)).toEqual(
      Array(3).fill(expect.stringMatching(/^Dangerous: .+ To allow it, write: allow anyway$/)),
    );
    expect(await tested.person.resolveOption(id, 'allow anyway', ADA)).toBe(true);
    expect(await result).toMatchObject({ behavior: 'allow' });
  });

  test('a no with an empty reason reads as one without', async () => {
    const result = approve();
    await tested.person.resolveOption((await tested.asked()).id, { decision: 'deny', message: '' }, ADA);
    expect(await result).toEqual({ behavior: 'deny', message: 'ada denied Bash.' });
  });

  test('a reason for a no reaches the agent, typed or sent', async () => {
    const sent = approve();
    const { id } = await tested.asked();
    await tested.person.resolveOption(id, { decision: 'deny', message: 'not on Friday' }, ADA);
    expect(await sent).toEqual({ behavior: 'deny', message: 'not on Friday' });
    const typed = approve();
    await tested.asked(2);
    await tested.person.resolveText(CHAT, 'yes, but only in dist', ADA);
    expect(await typed).toEqual({ behavior: 'deny', message: 'yes, but only in dist' });
  });

  test('an unknown word is no consent: it changes nothing and says so', async () => {
    const result = approve();
    const { id } = await tested.asked();
    expect(await tested.person.resolveOption(id, 'whatever', ADA)).toBe(false);
    expect(await tested.world.person.get(id)).toMatchObject({ status: 'pending' });
    expect(tested.connector.prompts).toHaveLength(1);
    await tested.person.resolveOption(id, 'deny', ADA);
    expect(await result).toMatchObject({ behavior: 'deny' });
  });

  test('the person may edit the input', async () => {
    const result = approve();
    const updatedInput = { command: 'rm -rf build/tmp' };
    await tested.person.resolveOption((await tested.asked()).id, { decision: 'allow', updatedInput }, ADA);
    expect(await result).toEqual({ behavior: 'allow', updatedInput });
  });

  test('description and suggestions reach the person; those to remember go back as updated permissions', async () => {
    const suggestions = [
      { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' },
    ];
    const options = { description: 'cleans up', suggestions };
    const once = approve(INPUT, options);
    expect(await tested.asked()).toMatchObject({ request: options });
    await tested.person.resolveOption((await tested.asked()).id, 'allow', ADA);
    expect(await once).toEqual({ behavior: 'allow', updatedInput: INPUT });
    const always = approve(INPUT, options);
    await tested.person.resolveOption((await tested.asked(2)).id, { decision: 'allow', remember: true }, ADA);
    expect(await always).toEqual({ behavior: 'allow', updatedInput: INPUT, updatedPermissions: suggestions });
  });

  test('what is remembered is the same tool with the same input in the same session, and nothing else', async () => {
    const session = { sessionId: 'session-1' };
    const first = approve({ command: 'ls', cwd: '/' }, session);
    await tested.person.resolveOption((await tested.asked()).id, { decision: 'allow', remember: true }, ADA);
    await first;
    const same = { cwd: '/', command: 'ls' };
    expect(await approve(same, session)).toEqual({ behavior: 'allow', updatedInput: same });
    expect(tested.connector.shown).toHaveLength(1);
    const others = [
      approve({ command: 'ls', cwd: '/etc' }, session),
      approve({ command: 'ls' }, session),
      approve(same, session, 'Shell'),
      approve(same, { sessionId: 'session-2' }),
      approve(same),
    ];
    await tested.asked(6);
    await tested.person.cancelPending(CHAT);
    for (const result of await Promise.all(others)) expect(result).toMatchObject({ behavior: 'deny' });
  });

  test('after an edit nothing is remembered, neither the edited input nor the other', async () => {
    const edited = { command: 'ls' };
    const first = approve();
    const answer = { decision: 'allow', updatedInput: edited, remember: true } as const;
    await tested.person.resolveOption((await tested.asked()).id, answer, ADA);
    await first;
    const others = [approve(edited), approve()];
    await tested.asked(3);
    await tested.person.cancelPending(CHAT);
    for (const result of await Promise.all(others)) expect(result).toMatchObject({ behavior: 'deny' });
  });

  test('a no is never remembered', async () => {
    const first = approve();
    await tested.person.resolveOption((await tested.asked()).id, { decision: 'deny', remember: true }, ADA);
    await first;
    const again = approve();
    await tested.person.resolveOption((await tested.asked(2)).id, 'allow', ADA);
    expect(await again).toMatchObject({ behavior: 'allow' });
  });

  test('the consent to one call is never that to another of the same id', async () => {
    const first = approve(INPUT, { toolUseId: 'toolu_1' });
    await tested.person.resolveOption((await tested.asked()).id, 'allow', ADA);
    expect(await first).toMatchObject({ behavior: 'allow' });
    await expect(approve({ command: 'rm -rf /' }, { toolUseId: 'toolu_1' })).rejects.toMatchObject({
      code: 'key_reused',
    });
  });

  test('an "allow" is withheld, and not remembered, if a file of the call has changed since it was shown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'beckon-files-'));
    try {
      const path = join(folder, 'a.ts');
      await writeFile(path, 'one\n');
      const edit = { file_path: path, old_string: 'one', new_string: 'two' };
      const call = (): Promise<PermissionResult> =>
        approve(edit, { cwd: folder, context: { title: 'Currency' } }, 'Edit');
      const first = call();
      const { id, context } = await tested.asked();
      expect(context).toMatchObject({ project: basename(folder), folder, title: 'Currency', files: [{ path }] });
      await writeFile(path, 'one, and more\n');
      await tested.person.resolveOption(id, { decision: 'allow', remember: true }, ADA);
      const message = expect.stringContaining(`${path} has changed after this call was asked`);
      expect(await first).toEqual({ behavior: 'deny', message });
      expect(await tested.logUntil('interaction.withheld')).toContain('interaction.answered');
      const again = call();
      await tested.person.resolveOption((await tested.asked(2)).id, 'allow', ADA);
      expect(await again).toEqual({ behavior: 'allow', updatedInput: edit });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('input that JSON cannot carry is denied', async () => {
    expect(await approve({ size: Number.NaN })).toEqual({ behavior: 'deny', message: expect.stringContaining('size') });
  });
}
