export const texts = {
  from: (kind: string, agent: string) => `${kind} from ${agent}`,
  broken: 'This request cannot be shown here. Answer it in the inbox.',
};
