import type { Table } from './tables.ts';

/** The numbers of a chart as a table. */
export function DataTable({ caption, table }: { caption: string; table: Table }) {
  return (
    <table className="w-full text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-left text-xs text-muted">
          <th scope="col" className="py-1 pr-3 font-medium">
            {table.rowName}
          </th>
          {table.series.map(({ key, name }) => (
            <th key={key} scope="col" className="py-1 pl-3 text-right font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(({ name, counts }) => (
          <tr key={name} className="border-b border-line last:border-0">
            <th scope="row" className="py-1 pr-3 text-left font-normal">
              {name}
            </th>
            {table.series.map(({ key }) => (
              <td key={key} className="py-1 pl-3 text-right">
                {counts[key] ?? 0}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
