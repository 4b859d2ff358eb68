import { connectDestinations, type Destinations } from 'beckon/client';
import { useState } from 'react';
import { findOwnUrl } from '../state/own-address.ts';

/** Where people are told. Few views need it, so its client is not part of the first load. */
export function useDestinations(): Destinations {
  const [destinations] = useState(() => connectDestinations(findOwnUrl(), { retryFor: 3 }));
  return destinations;
}
