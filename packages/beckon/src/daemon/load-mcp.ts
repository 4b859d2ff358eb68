import { BeckonError } from '../protocol/errors.ts';

/**
 * Loads the MCP packages, which not everybody needs. Throws `not_installed` and says what to install if they are
 * missing.
 */
export async function loadMcp<Module>(importIt: () => Promise<Module>): Promise<Module> {
  try {
    return await importIt();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new BeckonError(
      'not_installed',
      'MCP needs two more packages. Install them beside beckon: ' +
        'npm install @modelcontextprotocol/server @modelcontextprotocol/node',
      { cause: error },
    );
  }
}
