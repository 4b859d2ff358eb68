import { createOpencodePlugin, type PluginHooks, type PluginInput } from '../adapters/opencode/plugin.ts';
import { openOutside } from './outside.ts';

/** Runs inside opencode: the plugin file that `beckon opencode install` writes loads this module. */
export async function runInOpencode(input: PluginInput): Promise<PluginHooks> {
  return createOpencodePlugin(openOutside({ name: 'opencode', title: 'opencode' }), input);
}
