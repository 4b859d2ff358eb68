import { PressGuard } from './press-guard.ts';

/** The worker's only guard: there is one screen. */
export const guard = new PressGuard();
