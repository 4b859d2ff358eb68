export const texts = {
  arrived: (title: string) => `New: ${title}`,
  arrivedMany: (count: number) => `${count} new requests`,
  many: (count: number) => `${count} agents need you`,
  body: (kind: string, asker: string) => `${kind} from ${asker}`,
};
