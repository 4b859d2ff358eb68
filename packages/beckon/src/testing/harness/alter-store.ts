/** A real store, or a part of one, in which some methods are replaced, to watch them, hold them up or let them fail. */
export function alterStore<Part extends object>(store: Part, changes: Partial<Part>): Part {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in changes ? changes : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
