import { DANGEROUS } from './dangerous.ts';
import { NOTABLE } from './notable.ts';
import { PLAIN } from './plain.ts';
import { PUBLIC_DANGEROUS } from './public-dangerous.ts';
import { PUBLIC_NOTABLE } from './public-notable.ts';
import { PUBLIC_PLAIN } from './public-plain.ts';
import { SECOND_DANGEROUS, SECOND_NOTABLE, SECOND_PLAIN } from './public-second.ts';

/** Every call of the corpus, by the level that it must have. */
export const CORPUS = {
  routine: [...PLAIN, ...PUBLIC_PLAIN, ...SECOND_PLAIN],
  notable: [...NOTABLE, ...PUBLIC_NOTABLE, ...SECOND_NOTABLE],
  dangerous: [...DANGEROUS, ...PUBLIC_DANGEROUS, ...SECOND_DANGEROUS],
};
