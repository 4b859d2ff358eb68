import { keep, readKept } from 'beckon/react/parts';
import { useState } from 'react';

const DENSITY_KEY = 'beckon.density';
const FOLDED_KEY = 'beckon.folded';
/** Projects come and go, and nobody unfolds those that are gone. */
const MOST_FOLDED = 200;

export type Density = 'dense' | 'roomy';

/** How the list looks. This browser remembers it. */
export interface ListPreferences {
  density: Density;
  /** The keys of the folded projects and sessions. */
  folded: ReadonlySet<string>;
  changeDensity: () => void;
  fold: (key: string, isFolded: boolean) => void;
}

export function useListPreferences(): ListPreferences {
  const [density, setDensity] = useState(readDensity);
  const [folded, setFolded] = useState(readFolded);
  return {
    density,
    folded,
    changeDensity: () => {
      const next = density === 'dense' ? 'roomy' : 'dense';
      keep(DENSITY_KEY, next);
      setDensity(next);
    },
    fold: (key, isFolded) => {
      const next = new Set(folded);
      next.delete(key);
      if (isFolded) next.add(key);
      keep(FOLDED_KEY, JSON.stringify([...next].slice(-MOST_FOLDED)));
      setFolded(next);
    },
  };
}

// A line is enough where it is wide; a phone has more room below than beside.
function readDensity(): Density {
  const kept = readKept(DENSITY_KEY);
  if (kept === 'dense' || kept === 'roomy') return kept;
  return matchMedia('(width < 40rem)').matches ? 'roomy' : 'dense';
}

function readFolded(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(readKept(FOLDED_KEY) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : []);
  } catch {
    return new Set(); // Somebody else wrote it.
  }
}
