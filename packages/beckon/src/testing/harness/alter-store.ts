import type { Store } from '../../core/store.ts';

/** A real store in which some methods are replaced, to watch them, to hold them up, or to let them fail. */
export function alterStore(store: Store, changes: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in changes ? changes : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
