import type { SuggestionsProps } from '../../components/suggestions.ts';
import type { PartProps } from '../events.ts';
import { texts } from '../texts.ts';

export function SuggestionsView({ suggestions, onCallback }: SuggestionsProps & PartProps) {
  return (
    <ul className="beckon-suggestions" aria-label={texts.suggestions}>
      {suggestions.map((value, index) => (
        <li key={index}>
          <button
            type="button"
            className="beckon-chip"
            disabled={onCallback === undefined}
            onClick={() => onCallback?.({ action: 'select', data: { value } })}
          >
            {value}
          </button>
        </li>
      ))}
    </ul>
  );
}
