import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { Field, Select } from '@tillbridge/panel-kit/components/field.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Sale } from '../api/answers.js';
import { csvOf, isFound, SALE_FILTERS, type SaleFilter } from '../model/find-sales.js';
import { type LiveStore, SALES_SINCE_MS } from '../model/live-store.js';
import { saleAmount, saleWords, typeText } from '../model/sale-words.js';
import { labelOf } from '../model/terminal-label.js';
import type { TextKey } from '../texts/en.js';
import { clockTime, t } from '../texts/texts.js';
import { acting } from './acting.js';

/** How many sales are listed at first. */
const SHOWN_FIRST = 8;

/** How many sales a search and a file look through. */
const MAX_SEARCHED = 2_000;

const FILTERS: Readonly<Record<SaleFilter, TextKey>> = {
  all: 'filterAll',
  approved: 'filterApproved',
  'not-approved': 'filterNotApproved',
  open: 'filterOpen',
};

/** The last sales and how they stand now: card and amount first, found by what a customer can say. */
export function LastSales({
  store,
  onOpen,
}: {
  readonly store: LiveStore;
  readonly onOpen: (reference: string) => void;
}): JSX.Element {
  const isListed = useChosen(store.view, (view) => view.isListed);
  const listed = useChosen(store.view, (view) => view.sales);
  const [all, setAll] = useState(false);
  const [query, setQuery] = useState('');
  const [filter, setFilter] = useState<SaleFilter>('all');
  const isSearch = query.trim() !== '' || filter !== 'all';
  const older = useOlder(store, isSearch);
  const sales = withOlder(listed, isSearch ? older : []).filter((sale) => isFound(sale, query, filter));
  const save = () =>
    acting(async () => {
      const whole = await readOlder(store);
      saveFile('sales.csv', csvOf(withOlder(listed, whole).filter((sale) => isFound(sale, query, filter))));
    });
  return (
    <Card
      title={t('lastSales')}
      class="last-sales"
      tools={
        <Button size="small" icon="download" onClick={save}>
          {t('saveCsv')}
        </Button>
      }
    >
      <search class="sale-search">
        <Field
          label={t('search')}
          type="search"
          placeholder={t('searchWords')}
          value={query}
          onInput={setQuery}
        />
        <Select
          label={t('show')}
          options={SALE_FILTERS.map((value) => ({ value, label: t(FILTERS[value]) }))}
          value={filter}
          onChange={setFilter}
        />
      </search>
      {sales.length === 0 ? (
        <Empty>{!isListed ? '…' : t(isSearch ? 'noneFound' : 'noSalesLately')}</Empty>
      ) : (
        <ul class="sale-rows" aria-label={t('lastSales')}>
          {(all ? sales : sales.slice(0, SHOWN_FIRST)).map((sale) => (
            <SaleRow key={sale.reference} store={store} sale={sale} onOpen={() => onOpen(sale.reference)} />
          ))}
        </ul>
      )}
      {sales.length > SHOWN_FIRST && (
        <Button kind="quiet" size="small" onClick={() => setAll(!all)}>
          {all ? t('showFewer') : t('showMore', { count: sales.length - SHOWN_FIRST })}
        </Button>
      )}
    </Card>
  );
}

function SaleRow({
  store,
  sale,
  onOpen,
}: {
  readonly store: LiveStore;
  readonly sale: Sale;
  readonly onOpen: () => void;
}): JSX.Element {
  const zone = useChosen(store.view, ({ status }) => status?.store.timeZone);
  const terminal = useChosen(store.view, ({ status }) => labelOf(status, sale.terminalId));
  const at = sale.timeline[0]?.at;
  const amount = signedAmount(sale);
  return (
    <li class="sale-row" data-reference={sale.reference}>
      <strong class="sale-row-amount numeric">{amount}</strong>
      <span class="sale-row-card">{cardText(sale)}</span>
      <span class="sale-row-state">
        <SaleBadge sale={sale} />
      </span>
      <span class="sale-row-about list-second">
        {at !== undefined && <span class="numeric">{clockTime(at, zone)} · </span>}
        {about(sale, terminal)}
      </span>
      <Button
        size="small"
        label={t('openSale', { reference: `${amount} ${cardText(sale)}` })}
        onClick={onOpen}
      >
        {t('open')}
      </Button>
    </li>
  );
}

/** The true state of a sale. */
export function SaleBadge({ sale }: { readonly sale: Sale }): JSX.Element {
  const { tone, state } = saleWords(sale);
  return <Badge tone={tone}>{state}</Badge>;
}

/** What a refund gives back has a minus. */
function signedAmount(sale: Sale): string {
  return `${sale.type === 'refund' ? '−' : ''}${saleAmount(sale)}`;
}

/** The card as the customer knows it. */
export function cardText({ card }: Sale): string {
  if (card?.last4Digits === undefined) return t('noCard');
  return `${card.brand ?? t('card')} •••• ${card.last4Digits}`;
}

/** What kind of sale it is, and where. */
function about({ type, till, mode }: Sale, terminal: string): string {
  const parts = [
    type === 'sale' ? undefined : typeText(type),
    terminal,
    till && t('byTill', { till }),
    mode !== null && mode !== 'online' ? t('offline') : undefined,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Sales before those that are listed; read once a search wants them. */
function useOlder(store: LiveStore, wanted: boolean): readonly Sale[] {
  const [older, setOlder] = useState<readonly Sale[]>([]);
  useEffect(() => {
    if (!wanted) return undefined;
    let current = true;
    void acting(async () => {
      const sales = await readOlder(store);
      if (current) setOlder(sales);
    });
    return () => {
      current = false;
    };
  }, [store, wanted]);
  return older;
}

function readOlder({ client }: LiveStore): Promise<readonly Sale[]> {
  return client.pastSales(client.nowMs() - SALES_SINCE_MS, MAX_SEARCHED);
}

/** Those that are listed are newer than what was read before. */
function withOlder(listed: readonly Sale[], older: readonly Sale[]): readonly Sale[] {
  const references = new Set(listed.map(({ reference }) => reference));
  return [...listed, ...older.filter(({ reference }) => !references.has(reference))];
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url));
}
