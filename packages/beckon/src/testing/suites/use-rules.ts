import type { Beckon } from '../../core/beckon.ts';
import type { Rules } from '../../core/rules.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { ADA } from './samples.ts';
import { useEach } from './use-each.ts';

/** The rules of a database of its own for somebody with every right, and a Beckon on it that asks and answers. */
export interface RulesWorld {
  rules: Rules;
  beckon: Beckon;
  /** Closes everything and removes the database. */
  dispose(): Promise<void>;
}

/** Makes an empty database with its rules. */
export type CreateRulesWorld = () => Promise<RulesWorld>;

/** For each test around it the rules of a new database. */
export function useRules(create: CreateRulesWorld) {
  const current = useEach<RulesWorld>(async (runTest) => {
    const world = await create();
    try {
      await runTest(world);
    } finally {
      await world.dispose();
    }
  });
  const run = (command: string, fields: Partial<AskInput<'approval'>> = {}): Promise<Interaction> =>
    current().beckon.ask({ kind: 'approval', request: { tool: 'Bash', input: { command } }, ...fields });
  return {
    get rules() {
      return current().rules;
    },
    get beckon() {
      return current().beckon;
    },
    /** Asks whether a command may run. */
    run,
    /** Asks, and a person decides. */
    decide: async (command: string, decision: 'allow' | 'deny'): Promise<Interaction> => {
      const asked = await run(command);
      const { interaction } = await current().beckon.answer(asked.id, { decision }, ADA);
      return interaction ?? asked;
    },
  };
}
