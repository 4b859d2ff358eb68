import { BeckonError } from '../protocol/errors.ts';

/** The error for a command that an agent's token does not allow, with the place where people do it. Others stay. */
export function explainForbidden(error: unknown, url: string): unknown {
  if (!(error instanceof BeckonError) || error.code !== 'forbidden' || !error.message.includes('role "agent"')) {
    return error;
  }
  return new BeckonError('forbidden', `This machine may only ask; answer at ${url} (its token has the role "agent").`, {
    cause: error,
  });
}
