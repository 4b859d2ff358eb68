import { useId, useState } from 'react';
import type { TableProps } from '../../components/table.ts';
import type { PartProps } from '../events.ts';
import { texts } from '../texts.ts';

type Item = TableProps['items'][number];
type Cell = Item['attributes'][string] | undefined;

/** The column that rows are sorted by; -1 is the column of names. */
interface Sorting {
  column: number;
  isDescending: boolean;
}

export function TableView({ title, attributes, items, selectable, onCallback }: TableProps & PartProps) {
  const titleId = useId();
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const hasNames = items.some(({ name }) => name !== undefined);
  const columns = attributes.map(({ key, label }) => ({
    key,
    label: label ?? key,
    isNumber: items.some((item) => isCellNumber(item, key)) && items.every((item) => isCellNumber(item, key) ?? true),
  }));
  const rows = sorting === null ? items : sortItems(items, columns[sorting.column]?.key, sorting.isDescending);
  const sort = (column: number): void =>
    setSorting((last) => {
      if (last?.column !== column) return { column, isDescending: false };
      return last.isDescending ? null : { column, isDescending: true };
    });
  const headingOf = (column: number) => ({ column, sorting, onSort: sort });
  const isSelectable = selectable === true;

  return (
    <section className="beckon-table">
      {title !== undefined && (
        <h2 className="beckon-title" id={titleId}>
          {title}
        </h2>
      )}
      <div
        className="beckon-scroll"
        role="region"
        tabIndex={0}
        {...(title === undefined ? { 'aria-label': texts.table } : { 'aria-labelledby': titleId })}
      >
        <table className="beckon-grid">
          <thead>
            <tr>
              {hasNames && <Heading {...headingOf(-1)} label={texts.name} isNumber={false} />}
              {columns.map(({ label, isNumber }, index) => (
                <Heading key={index} {...headingOf(index)} label={label} isNumber={isNumber} />
              ))}
              {isSelectable && <td aria-hidden="true" className="beckon-select-cell" />}
            </tr>
          </thead>
          <tbody>
            {rows.map((item, index) => (
              <tr key={index}>
                {hasNames && <th scope="row">{item.name}</th>}
                {columns.map(({ key, isNumber }, column) => (
                  <td key={column} data-number={isNumber || undefined}>
                    {formatCell(readCell(item, key))}
                  </td>
                ))}
                {isSelectable && (
                  <td className="beckon-select-cell">
                    <button
                      type="button"
                      className="beckon-button beckon-small"
                      disabled={onCallback === undefined}
                      aria-label={texts.select(
                        item.name ?? item.id ?? formatCell(readCell(item, columns[0]?.key ?? '')),
                      )}
                      onClick={() => {
                        const { id, name, attributes: cells } = item;
                        onCallback?.({ action: 'select', data: { id, name, attributes: cells } });
                      }}
                    >
                      {texts.choose}
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Heading(props: {
  column: number;
  label: string;
  isNumber: boolean;
  sorting: Sorting | null;
  onSort: (column: number) => void;
}) {
  const { column, label, isNumber, sorting, onSort } = props;
  const direction = sorting?.column !== column ? 'none' : sorting.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={direction} data-number={isNumber || undefined}>
      <button type="button" className="beckon-sort" onClick={() => onSort(column)}>
        {label}
      </button>
    </th>
  );
}

// The keys come from an agent, so only own fields of a row are cells.
function readCell(item: Item, key: string): Cell {
  return Object.hasOwn(item.attributes, key) ? item.attributes[key] : undefined;
}

function isCellNumber(item: Item, key: string): boolean | undefined {
  const cell = readCell(item, key);
  return cell === undefined || cell === null ? undefined : typeof cell === 'number';
}

function sortItems(items: readonly Item[], key: string | undefined, isDescending: boolean): Item[] {
  const valueOf = (item: Item): Cell => (key === undefined ? item.name : readCell(item, key));
  // Missing values come last in both directions.
  const [missing, present] = [items.filter(isMissing), items.filter((item) => !isMissing(item))];
  function isMissing(item: Item): boolean {
    return valueOf(item) === undefined || valueOf(item) === null;
  }
  const sorted = present.toSorted((one, other) => compareCells(valueOf(one), valueOf(other)));
  return [...(isDescending ? sorted.reverse() : sorted), ...missing];
}

function compareCells(one: Cell, other: Cell): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), undefined, { numeric: true });
}

function formatCell(cell: Cell): string {
  if (cell === undefined || cell === null) return texts.noValue;
  if (typeof cell === 'boolean') return cell ? texts.yes : texts.no;
  return String(cell);
}
