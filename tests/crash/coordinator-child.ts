import { InteractionCoordinator } from '../../packages/beckon/src/coordinator/index.ts';
import { type Duration, openBeckon } from '../../packages/beckon/src/index.ts';
import { MemoryConnector } from '../../packages/beckon/src/testing/memory-connector.ts';
import { readData, tellParent } from '../harness/parent.ts';

// An agent that asks two questions by one tool call, and says what it shows and what it gets.

const { store, timeout = null } = readData<{ store: string; timeout?: Duration }>();
const beckon = await openBeckon({ store });
const connector = new MemoryConnector();
const show = connector.show.bind(connector);
connector.show = async (interaction) => {
  await show(interaction);
  tellParent({
    type: 'shown',
    id: interaction.id,
    question: interaction.kind === 'question' && interaction.request.question,
  } as never);
};
const coordinator = new InteractionCoordinator({ beckon, connector });
const questions = [{ question: 'Which port?' }, { question: 'Which host?' }];
const result = await coordinator.handleQuestion('chat', { questions }, { toolUseId: 'toolu_1', timeout });
tellParent({ type: 'got', result } as never);
await beckon.close();
