import type { ComponentChildren, JSX } from 'preact';
import './table.css';

/** A column of a table of rows `T`. */
export interface Column<T> {
  readonly title: string;
  /** The heading is for screen readers alone, as over buttons. */
  readonly titleHidden?: boolean;
  /** Numbers stand at the end of their cell. */
  readonly number?: boolean;
  readonly cell: (row: T) => ComponentChildren;
}

/** What a table shows. */
interface TableProps<T> {
  /** Its accessible name. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
}

/** A table; it scrolls sideways where the page is narrow. */
export function Table<T>({ label, columns, rows, rowKey }: TableProps<T>): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="table-frame" tabIndex={0} aria-label={label}>
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, titleHidden, number }) => (
              <th key={title} scope="col" class={number ? 'number' : ''}>
                {titleHidden ? <span class="reader">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, number, cell }) => (
                <td key={title} class={number ? 'number' : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
