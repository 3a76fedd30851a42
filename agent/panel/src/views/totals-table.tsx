import { type Column, Table } from '@tillbridge/panel-kit/components/table.js';
import type { JSX } from 'preact';
import type { TotalKind, TotalsGroup } from '../api/answers.js';
import type { TextKey } from '../texts/en.js';
import { money, t } from '../texts/texts.js';

const COLUMNS: readonly (readonly [TotalKind, TextKey])[] = [
  ['approved', 'approved'],
  ['tips', 'tip'],
  ['cashBack', 'cashBack'],
  ['refunded', 'refunded'],
  ['preauthorized', 'held'],
  ['reversed', 'reversed'],
];

/** Totals by one key, a row each. */
export function TotalsTable({
  label,
  groups,
}: {
  readonly label: string;
  readonly groups: readonly TotalsGroup[];
}): JSX.Element {
  return (
    <Table
      label={label}
      columns={columns(label, groups)}
      rows={groups}
      rowKey={({ key, currency }) => `${key} ${currency}`}
    />
  );
}

/** A kind of which there is nothing has no column: the table fits a phone. */
function columns(label: string, groups: readonly TotalsGroup[]): readonly Column<TotalsGroup>[] {
  const isThere = (kind: TotalKind) =>
    kind === 'approved' ||
    groups.some((group) => group[kind].count !== 0 || Number(group[kind].amount) !== 0);
  return [
    { title: label, cell: ({ key }) => <strong>{key === '' ? '–' : key}</strong> },
    ...COLUMNS.filter(([kind]) => isThere(kind)).map(([kind, title]) => ({
      title: t(title),
      number: true,
      cell: ({ [kind]: { count, amount }, currency }: TotalsGroup) => (
        <span class={count === 0 ? 'soft' : ''}>
          {count === 0 && Number(amount) === 0 ? '–' : `${money(amount, currency)} (${count})`}
        </span>
      ),
    })),
    { title: t('net'), number: true, cell: ({ net, currency }) => <strong>{money(net, currency)}</strong> },
  ];
}
