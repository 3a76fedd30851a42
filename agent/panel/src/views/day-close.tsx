import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import { Choice } from '@tillbridge/panel-kit/components/field.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { DayClose as Close } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import { newReference, referenceBytes } from '../model/new-reference.js';
import type { TextKey } from '../texts/en.js';
import { money, periodText, t } from '../texts/texts.js';
import { acting } from './acting.js';
import { DayTotals } from './day-totals.js';
import { TotalsTable } from './totals-table.js';

const PARTS = ['closes', 'totals'] as const;

const CARRIED: readonly (readonly [keyof Close['carriedOver'], TextKey])[] = [
  ['running', 'openRunning'],
  ['waiting', 'openWaiting'],
  ['unknown', 'openUnknown'],
  ['parked', 'openParked'],
];

/** Closes the day, shows the closes before it, and the totals of any day. */
export function DayClose({
  store,
  onClose,
}: {
  readonly store: LiveStore;
  readonly onClose: () => void;
}): JSX.Element {
  const [part, setPart] = useState<(typeof PARTS)[number]>('closes');
  const [shown, setShown] = useState(false);
  return (
    <Dialog title={t('dayClose')} wide onClose={onClose}>
      <Choice
        label={t('show')}
        options={PARTS.map((value) => ({ value, label: t(value) }))}
        value={part}
        onChange={(chosen) => {
          setShown(false);
          setPart(chosen);
        }}
      />
      {part === 'closes' ? (
        <Closes store={store} onShown={setShown} />
      ) : (
        <DayTotals store={store} onShown={setShown} />
      )}
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('back')}</Button>
        <Button kind="primary" icon="receipt" disabled={!shown} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </div>
    </Dialog>
  );
}

/** The closes of the store, of which one is shown, and the button for the next. */
function Closes({
  store,
  onShown,
}: {
  readonly store: LiveStore;
  readonly onShown: (isShown: boolean) => void;
}): JSX.Element {
  const [closes, setCloses] = useState<readonly Close[]>();
  const [shown, setShown] = useState<number>();
  // The same until it is answered: a lost answer makes no second close.
  const [reference, setReference] = useState(() => closeReference(store));
  useEffect(() => {
    void acting(async () => setCloses(await store.client.dayCloses()));
  }, [store]);
  const chosen = closes?.find(({ number }) => number === shown) ?? closes?.[0];
  useLayoutEffect(() => onShown(chosen !== undefined), [chosen]);
  const close = () =>
    acting(async () => {
      const made = await store.client.closeDay(reference);
      setReference(closeReference(store));
      setCloses((old = []) => [made, ...old.filter(({ number }) => number !== made.number)]);
      setShown(made.number);
    }, t('dayIsClosed'));
  return (
    <>
      <div class="close-now">
        <p>{t('closeWords')}</p>
        <Button kind="primary" icon="check" disabled={closes === undefined} onClick={close}>
          {t('closeDay')}
        </Button>
      </div>
      {closes?.length === 0 && <Empty>{t('noCloses')}</Empty>}
      {closes && closes.length > 1 && (
        <ul class="close-list" aria-label={t('closes')}>
          {closes.map((each) => (
            <li key={each.number}>
              <Button
                size="small"
                pressed={each.number === chosen?.number}
                onClick={() => setShown(each.number)}
              >
                {closeName(each)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {chosen && <OneClose store={store} close={chosen} />}
    </>
  );
}

function OneClose({ store, close }: { readonly store: LiveStore; readonly close: Close }): JSX.Element {
  const name = useChosen(store.view, ({ status }) => status?.store.name);
  const { since, until, timeZone, terminals, brands, currencies, carriedOver, till } = close;
  const carried = CARRIED.flatMap(([kind, words]) =>
    carriedOver[kind] === 0 ? [] : [t(words, { count: carriedOver[kind] })],
  );
  return (
    <div class="print totals">
      <div class="sale-head">
        <h3 class="close-name">{[name, closeName(close)].filter(Boolean).join(' · ')}</h3>
        {currencies.map(({ currency, net }) => (
          <strong key={currency} class="numeric close-net">
            {money(net, currency)}
          </strong>
        ))}
      </div>
      <p class="soft">
        {[periodText(since, until, timeZone), till && t('byTill', { till })].filter(Boolean).join(' · ')}
      </p>
      {terminals.length === 0 ? (
        <Empty>{t('noSales')}</Empty>
      ) : (
        <>
          <TotalsTable label={t('terminal')} groups={terminals} />
          <TotalsTable label={t('brand')} groups={brands} />
        </>
      )}
      {carried.length > 0 && (
        <p class="totals-open" role="status">
          {t('carriedOver', { what: carried.join(', ') })}
        </p>
      )}
    </div>
  );
}

function closeName({ number }: Close): string {
  return t('closeNumber', { number });
}

function closeReference(store: LiveStore): string {
  return newReference(store.view.value.caller.till, store.client.nowMs(), referenceBytes());
}
