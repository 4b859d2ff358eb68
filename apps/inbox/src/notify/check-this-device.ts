import { connectDestinations } from 'beckon/client';
import { findOwnUrl } from '../state/own-address.ts';
import { readThisDevice } from './this-device-push.ts';

/** Looks whether this browser is still told by pushes, and subscribes it again if it lost its subscription. */
export async function checkThisDevice(who: string): Promise<void> {
  await readThisDevice({ destinations: connectDestinations(findOwnUrl(), { retryFor: 3 }), who });
}
