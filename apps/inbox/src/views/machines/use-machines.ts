import { connectMachines, type Machines } from 'beckon/client';
import { useState } from 'react';
import { findOwnUrl } from '../../state/own-address.ts';

/** The machines of this Beckon. Few views need them, so their client is not part of the first load. */
export function useMachines(): Machines {
  const [machines] = useState(() => connectMachines(findOwnUrl(), { retryFor: 3 }));
  return machines;
}
