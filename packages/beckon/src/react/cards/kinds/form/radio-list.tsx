/** Radio buttons below each other, or in a row if they are short. */
export function RadioList({
  name,
  labels,
  chosen,
  isDisabled,
  isRow = false,
  onChoose,
}: {
  name: string;
  labels: readonly string[];
  chosen: number | null;
  isDisabled: boolean;
  isRow?: boolean;
  onChoose: (place: number) => void;
}) {
  return (
    <div className={isRow ? 'flex flex-wrap gap-x-5 gap-y-1' : 'space-y-1'}>
      {labels.map((label, place) => (
        <label key={place} className="tap flex w-fit items-center gap-2 text-sm [overflow-wrap:anywhere]">
          <input
            type="radio"
            name={name}
            checked={chosen === place}
            disabled={isDisabled}
            onChange={() => onChoose(place)}
            className="size-4 shrink-0 accent-accent"
          />
          {label}
        </label>
      ))}
    </div>
  );
}
