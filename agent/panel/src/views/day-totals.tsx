import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { Choice, Field } from '@tillbridge/panel-kit/components/field.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { TotalKind, Totals, TotalsBy, TotalsGroup } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import type { TextKey } from '../texts/en.js';
import { periodText, t } from '../texts/texts.js';
import { TotalsTable } from './totals-table.js';

const BY = ['terminal', 'brand', 'currency', 'till'] as const satisfies readonly TotalsBy[];

/** Kinds that have no end yet, and what they are. */
const OPEN_KINDS: readonly (readonly [TotalKind, TextKey])[] = [
  ['running', 'openRunning'],
  ['waiting', 'openWaiting'],
  ['unknown', 'openUnknown'],
  ['parked', 'openParked'],
];

/** The days that can be chosen: while a year is typed the field has others, and it would take years of more digits. */
const FIRST_DAY = '1970-01-02';
const LAST_DAY = '9999-12-30';

/** The totals of a day as its sales now stand. `onShown`: whether there is something to print. */
export function DayTotals({
  store,
  onShown,
}: {
  readonly store: LiveStore;
  readonly onShown: (isShown: boolean) => void;
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
  // With the drawing: what is not shown cannot be printed.
  useLayoutEffect(() => onShown(answer !== undefined), [answer]);
  return (
    <>
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
      {answer && <PeriodTotals totals={answer} />}
    </>
  );
}

function PeriodTotals({
  totals: { groups, since, until, timeZone, by },
}: {
  readonly totals: Totals;
}): JSX.Element {
  const open = openText(groups);
  return (
    <div class="print totals">
      <p class="soft">{periodText(since, until, timeZone)}</p>
      {groups.length === 0 ? <Empty>{t('noSales')}</Empty> : <TotalsTable label={t(by)} groups={groups} />}
      {open.length > 0 && (
        <p class="totals-open" role="status">
          {t('dayOpen', { what: open.join(', ') })}
        </p>
      )}
    </div>
  );
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
