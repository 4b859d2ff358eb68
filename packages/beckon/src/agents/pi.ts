import { runPiExtension } from '../adapters/pi/extension.ts';
import type { Pi } from '../adapters/pi/pi-types.ts';
import { openOutside } from './outside.ts';

/** The tools of pi that change something. */
const DEFAULT_TOOLS = 'bash,write,edit';

/**
 * Runs inside pi: the extension file that `beckon pi install` writes loads this module. BECKON_PI_TOOLS names the tools
 * whose calls are asked about, separated by commas; `all` and `none` are possible too.
 */
export function runInPi(pi: Pi): void {
  const names = (process.env['BECKON_PI_TOOLS'] || DEFAULT_TOOLS).split(',').map((name) => name.trim());
  const asksAbout = (tool: string): boolean => tool !== 'ask_person' && (names.includes(tool) || names.includes('all'));
  runPiExtension(openOutside({ name: 'pi', title: 'pi' }), pi, { asksAbout });
}
