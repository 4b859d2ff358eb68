export const texts = {
  arrived: (title: string) => `New: ${title}`,
  arrivedMany: (count: number) => `${count} new requests`,
  many: (count: number) => `${count} agents need you`,
  dangerous: (count: number) => `${count} dangerous`,
};
