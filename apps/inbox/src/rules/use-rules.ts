import { connectRules, type Rules } from 'beckon/client';
import { useState } from 'react';
import { findOwnUrl } from '../state/own-address.ts';

/** The rules of this Beckon. Few views need them, so their client is not part of the first load. */
export function useRules(): Rules {
  const [rules] = useState(() => connectRules(findOwnUrl()));
  return rules;
}
