import type { Context } from '../../protocol/context.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { BaseDelivery } from './delivery-book.ts';
import type { Surroundings } from './request-text.ts';

/** What else a delivery shows with its interaction. The files of a call are read only where it has some. */
export async function gatherSurroundings(
  { earlier = [], second }: BaseDelivery,
  interaction: Interaction,
  readContext: (id: string) => Promise<Context | null>,
): Promise<Surroundings> {
  const hasFiles = interaction.kind === 'approval' && interaction.context?.files !== undefined;
  const context = hasFiles ? await readContext(interaction.id) : null;
  return { earlier, files: context?.files ?? [], isSecond: second?.by != null };
}
