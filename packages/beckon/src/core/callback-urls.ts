import type { Interaction } from '../protocol/interaction.ts';

/** Makes and checks the addresses that need no token, because nobody can guess them. */
export interface CallbackUrls {
  toUrl(baseUrl: string, interaction: Interaction): string;
  check(id: string, query: { expires?: string; signature?: string }): 'good' | 'forged' | 'expired';
}
