import { Button } from '@tillbridge/protocol/panel/components/button.js';
import { Empty } from '@tillbridge/protocol/panel/components/card.js';
import { Dialog } from '@tillbridge/protocol/panel/components/dialog.js';
import { Choice, Field } from '@tillbridge/protocol/panel/components/field.js';
import { type Column, Table } from '@tillbridge/protocol/panel/components/table.js';
import { amountText } from '@tillbridge/protocol/panel/format.js';
import { useChosen } from '@tillbridge/protocol/panel/state.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TotalKind, Totals, TotalsBy, TotalsGroup } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';

const BY: readonly { readonly value: TotalsBy; readonly label: string }[] = [
  { value: 'terminal', label: 'Terminal' },
  { value: 'brand', label: 'Brand' },
  { value: 'currency', label: 'Currency' },
  { value: 'till', label: 'Till' },
];

const COLUMNS: readonly (readonly [TotalKind, string])[] = [
  ['approved', 'Approved'],
  ['refunded', 'Refunded'],
  ['preauthorized', 'Held'],
  ['reversed', 'Reversed'],
];

/** Kinds that keep a day from being closed, and what they are. */
const OPEN_KINDS: readonly (readonly [TotalKind, string])[] = [
  ['running', 'running'],
  ['waiting', 'taken offline and not confirmed'],
  ['unknown', 'not known yet'],
  ['parked', 'to be resolved by staff'],
];

/** The totals of a day. */
export function DayClose({
  store,
  onClose,
}: {
  readonly store: LiveStore;
  readonly onClose: () => void;
}): JSX.Element {
  const [by, setBy] = useState<TotalsBy>('terminal');
  const zone = useChosen(store.view, ({ status }) => status?.store.timeZone);
  const [day, setDay] = useState(() => dayOf(Date.now(), zone));
  const [totals, setTotals] = useState<Totals>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    if (day === '') return undefined;
    let current = true;
    setFault(undefined);
    store.client.totals(by, day).then(
      (answer) => current && setTotals(answer),
      (error: unknown) => current && setFault((error as Error).message),
    );
    return () => {
      current = false;
    };
  }, [store, by, day]);
  return (
    <Dialog title="Day close" wide onClose={onClose}>
      <div class="start-head">
        <Field label="Day" type="date" value={day} onInput={setDay} />
        <Choice label="By" options={BY} value={by} onChange={setBy} />
      </div>
      {fault !== undefined && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      {totals && <TotalsTable totals={totals} />}
      <div class="dialog-actions">
        <Button onClick={onClose}>Back</Button>
        <Button kind="primary" icon="receipt" disabled={!totals} onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </Dialog>
  );
}

function TotalsTable({
  totals: { groups, since, until, timeZone },
}: {
  readonly totals: Totals;
}): JSX.Element {
  const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const open = openText(groups);
  return (
    <div class="print totals">
      <p class="soft">
        {time.format(new Date(since))} to {time.format(new Date(until))} ({timeZone})
      </p>
      {groups.length === 0 ? (
        <Empty>No sales in this time.</Empty>
      ) : (
        <Table
          label="Totals"
          columns={columns()}
          rows={groups}
          rowKey={({ key, currency }) => `${key} ${currency}`}
        />
      )}
      <p class={open.length === 0 ? 'totals-closed' : 'totals-open'} role="status">
        {open.length === 0
          ? 'The day can be closed: every sale has its end.'
          : `Not to be closed yet: ${open.join(', ')}. Carry them over, or come back later.`}
      </p>
    </div>
  );
}

function columns(): readonly Column<TotalsGroup>[] {
  return [
    { title: 'Group', cell: ({ key }) => <strong>{key === '' ? '–' : key}</strong> },
    ...COLUMNS.map(([kind, title]) => ({
      title,
      number: true,
      cell: ({ [kind]: { count, amount }, currency }: TotalsGroup) => (
        <span class={count === 0 ? 'soft' : ''}>
          {count === 0 ? '–' : `${amountText(amount, currency)} (${count})`}
        </span>
      ),
    })),
    { title: 'Net', number: true, cell: ({ net, currency }) => <strong>{amountText(net, currency)}</strong> },
  ];
}

/** What has no end yet, by kind. */
function openText(groups: readonly TotalsGroup[]): readonly string[] {
  return OPEN_KINDS.flatMap(([kind, words]) => {
    const count = groups.reduce((sum, group) => sum + group[kind].count, 0);
    return count === 0 ? [] : [`${count} ${words}`];
  });
}

/** The date at a moment in a time zone, `YYYY-MM-DD`. */
function dayOf(ms: number, timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat('sv-SE', { ...(timeZone !== undefined && { timeZone }) });
  return format.format(ms);
}
