import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { type Column, Table } from '@tillbridge/panel-kit/components/table.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Sale } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import { saleAmount, saleWords, typeText } from '../model/sale-words.js';
import { clockTime, t } from '../texts/texts.js';

/** How many sales are listed at first. */
const SHOWN_FIRST = 8;

/** The last sales and how they stand now. */
export function LastSales({
  store,
  onOpen,
}: {
  readonly store: LiveStore;
  readonly onOpen: (reference: string) => void;
}): JSX.Element {
  const sales = useChosen(store.view, (view) => view.sales);
  const isListed = useChosen(store.view, (view) => view.isListed);
  const zone = useChosen(store.view, ({ status }) => status?.store.timeZone);
  const [all, setAll] = useState(false);
  const columns: readonly Column<Sale>[] = [
    { title: t('time'), cell: ({ timeline }) => <span class="numeric">{time(timeline[0]?.at, zone)}</span> },
    {
      title: t('amount'),
      number: true,
      cell: (sale) => <strong>{`${sale.type === 'refund' ? '−' : ''}${saleAmount(sale)}`}</strong>,
    },
    { title: t('state'), cell: (sale) => <SaleBadge sale={sale} /> },
    {
      title: t('sale'),
      cell: (sale) => (
        <span class="sale-names">
          <span>{sale.reference}</span>
          <span class="list-second">{about(sale)}</span>
        </span>
      ),
    },
    {
      title: t('open'),
      titleHidden: true,
      cell: ({ reference }) => (
        <Button size="small" label={t('openSale', { reference })} onClick={() => onOpen(reference)}>
          {t('open')}
        </Button>
      ),
    },
  ];
  return (
    <Card title={t('lastSales')} class="last-sales">
      {sales.length === 0 ? (
        <Empty>{isListed ? t('noSalesLately') : '…'}</Empty>
      ) : (
        <Table
          label={t('lastSales')}
          columns={columns}
          rows={all ? sales : sales.slice(0, SHOWN_FIRST)}
          rowKey={({ reference }) => reference}
        />
      )}
      {sales.length > SHOWN_FIRST && (
        <Button kind="quiet" size="small" onClick={() => setAll(!all)}>
          {all ? t('showFewer') : t('showMore', { count: sales.length - SHOWN_FIRST })}
        </Button>
      )}
    </Card>
  );
}

/** The true state of a sale. */
export function SaleBadge({ sale }: { readonly sale: Sale }): JSX.Element {
  const { tone, state } = saleWords(sale);
  return <Badge tone={tone}>{state}</Badge>;
}

function time(at: string | undefined, zone: string | undefined): string {
  return at === undefined ? '' : clockTime(at, zone);
}

/** What kind of sale it is, of which card, where. */
function about({ type, card, terminalId, till, mode }: Sale): string {
  const parts = [
    type === 'sale' ? undefined : typeText(type),
    card?.last4Digits && `${card.brand ?? t('card')} •••• ${card.last4Digits}`,
    t('onTerminal', { id: terminalId }),
    till && t('byTill', { till }),
    mode !== null && mode !== 'online' ? t('offline') : undefined,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}
