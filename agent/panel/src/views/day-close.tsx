import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import { Choice, Field } from '@tillbridge/panel-kit/components/field.js';
import { type Column, Table } from '@tillbridge/panel-kit/components/table.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TotalKind, Totals, TotalsBy, TotalsGroup } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import type { TextKey } from '../texts/en.js';
import { money, t, timeLocale } from '../texts/texts.js';

const BY = ['terminal', 'brand', 'currency', 'till'] as const satisfies readonly TotalsBy[];

const COLUMNS: readonly (readonly [TotalKind, TextKey])[] = [
  ['approved', 'approved'],
  ['refunded', 'refunded'],
  ['preauthorized', 'held'],
  ['reversed', 'reversed'],
];

/** Kinds that keep a day from being closed, and what they are. */
const OPEN_KINDS: readonly (readonly [TotalKind, TextKey])[] = [
  ['running', 'openRunning'],
  ['waiting', 'openWaiting'],
  ['unknown', 'openUnknown'],
  ['parked', 'openParked'],
];

/** The days that can be chosen: while a year is typed the field has others, and it would take years of more digits. */
const FIRST_DAY = '1970-01-02';
const LAST_DAY = '9999-12-30';

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
  const [day, setDay] = useState(() => dayOf(store.client.nowMs(), zone));
  // Of another day than the one that is chosen they are never shown.
  const [answer, setAnswer] = useState<Totals>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    setAnswer(undefined);
    setFault(undefined);
    if (day.length !== LAST_DAY.length || day < FIRST_DAY || day > LAST_DAY) return undefined;
    let current = true;
    store.client.totals(by, day).then(
      (totals) => current && setAnswer(totals),
      (error: unknown) => current && setFault((error as Error).message),
    );
    return () => {
      current = false;
    };
  }, [store, by, day]);
  return (
    <Dialog title={t('dayClose')} wide onClose={onClose}>
      <div class="start-head">
        <Field label={t('day')} type="date" min={FIRST_DAY} max={LAST_DAY} value={day} onInput={setDay} />
        <Choice
          label={t('by')}
          options={BY.map((value) => ({ value, label: t(value) }))}
          value={by}
          onChange={setBy}
        />
      </div>
      {fault !== undefined && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      {answer && <TotalsTable totals={answer} />}
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('back')}</Button>
        <Button kind="primary" icon="receipt" disabled={!answer} onClick={() => window.print()}>
          {t('print')}
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
  const format = new Intl.DateTimeFormat(timeLocale(), { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const moment = (at: string) => format.format(new Date(at));
  const open = openText(groups);
  return (
    <div class="print totals">
      <p class="soft">{t('period', { since: moment(since), until: moment(until), zone: timeZone })}</p>
      {groups.length === 0 ? (
        <Empty>{t('noSales')}</Empty>
      ) : (
        <Table
          label={t('totals')}
          columns={columns()}
          rows={groups}
          rowKey={({ key, currency }) => `${key} ${currency}`}
        />
      )}
      <p class={open.length === 0 ? 'totals-closed' : 'totals-open'} role="status">
        {open.length === 0 ? t('dayClosed') : t('dayOpen', { what: open.join(', ') })}
      </p>
    </div>
  );
}

function columns(): readonly Column<TotalsGroup>[] {
  return [
    { title: t('group'), cell: ({ key }) => <strong>{key === '' ? '–' : key}</strong> },
    ...COLUMNS.map(([kind, title]) => ({
      title: t(title),
      number: true,
      cell: ({ [kind]: { count, amount }, currency }: TotalsGroup) => (
        <span class={count === 0 ? 'soft' : ''}>
          {count === 0 ? '–' : `${money(amount, currency)} (${count})`}
        </span>
      ),
    })),
    { title: t('net'), number: true, cell: ({ net, currency }) => <strong>{money(net, currency)}</strong> },
  ];
}

/** What has no end yet, by kind. */
function openText(groups: readonly TotalsGroup[]): readonly string[] {
  return OPEN_KINDS.flatMap(([kind, words]) => {
    const count = groups.reduce((sum, group) => sum + group[kind].count, 0);
    return count === 0 ? [] : [t(words, { count })];
  });
}

/** The date at a moment in a time zone, `YYYY-MM-DD`. */
function dayOf(ms: number, timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat('sv-SE', { ...(timeZone !== undefined && { timeZone }) });
  return format.format(ms);
}
