import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { List, ListItem } from '@tillbridge/panel-kit/components/list.js';
import { type Column, Table } from '@tillbridge/panel-kit/components/table.js';
import { showToast } from '@tillbridge/panel-kit/components/toasts.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FoundPage, FoundPayment } from '../../api/payment-answers.js';
import { exportPayments, findPayments, olderPayments } from '../../api/payments-client.js';
import { filterOf, meaningsOf, type PaymentFilter, queryOf } from '../../model/payment-search.js';
import { hashOf } from '../../model/places.js';
import { momentText, moneyText, t } from '../../texts/texts.js';
import { Fault } from '../parts/fault.js';
import { usePolled } from '../parts/polled.js';
import type { ViewProps } from '../shell.js';
import './payments.css';
import { SearchForm } from './search-form.js';
import { cardText, SEARCHED_BY, stateWord, typeWord } from './words.js';

/** How often a live list is loaded again, in milliseconds. */
const EVERY_MS = 5_000;

/** The payments of a merchant or channel: a filter in the address, the newest first, live. */
export function PaymentsView({ client, session, entityId, query }: ViewProps): JSX.Element {
  const filter = filterOf(query);
  const key = JSON.stringify(queryOf(filter));
  const [isLive, setLive] = useState(true);
  const [older, setOlder] = useState<FoundPage>();
  useEffect(() => setOlder(undefined), [key]);
  const everyMs = isLive && !older ? EVERY_MS : 0;
  const isMeant = entityId !== undefined;
  const { value, fault } = usePolled(key, everyMs, async (isUnattended) =>
    isMeant ? findPayments(client, filter, isUnattended) : undefined,
  );
  if (!isMeant)
    return (
      <Card title={t('payments')}>
        <p>{t('chooseForPayments')}</p>
        <List label={t('actingFor')}>
          {session.entities.map(({ id, name }) => (
            <ListItem
              key={id}
              main={<a href={hashOf({ place: 'payments', entityId: id, query })}>{name}</a>}
              second={id}
            />
          ))}
        </List>
      </Card>
    );
  const show = (next: PaymentFilter) => {
    location.hash = hashOf({ place: 'payments', entityId, query: queryOf(next) });
  };
  const next = older ? older.next : value?.next;
  const loadOlder = async () => {
    const page = await olderPayments(client, filter, value?.by, next ?? '');
    setOlder((shown) => ({ ...page, payments: [...(shown?.payments ?? []), ...page.payments] }));
  };
  const rows = [...(value?.payments ?? []), ...(older?.payments ?? [])];
  const tools = (
    <>
      <Button size="small" icon="play" pressed={isLive && !older} onClick={() => setLive(!isLive)}>
        {t('live')}
      </Button>
      <Button size="small" icon="download" onClick={() => saveFile(client, filter, value?.by)}>
        {t('csv')}
      </Button>
    </>
  );
  return (
    <Card title={t('payments')} tools={tools}>
      <SearchForm filter={filter} onSearch={show} />
      <Fault error={fault} />
      {!value && !fault && <p role="status">{t('loading')}</p>}
      <FoundBy filter={filter} by={value?.by} onSearch={show} />
      {older && <p class="soft">{t('liveStopped')}</p>}
      {value && rows.length === 0 && <Empty>{t(key === '{}' ? 'noPayments' : 'noPaymentsFound')}</Empty>}
      {rows.length > 0 && (
        <div class="payments-table">
          <Table
            label={t('payments')}
            columns={columnsOf(entityId)}
            rows={rows}
            rowKey={({ id, at }) => `${id} ${at}`}
          />
        </div>
      )}
      {next !== undefined && <Button onClick={loadOlder}>{t('olderPayments')}</Button>}
    </Card>
  );
}

/** What the text was taken for, and what else it may be. */
function FoundBy({
  filter,
  by,
  onSearch,
}: {
  readonly filter: PaymentFilter;
  readonly by: PaymentFilter['by'];
  readonly onSearch: (filter: PaymentFilter) => void;
}): JSX.Element | null {
  const others = meaningsOf(filter.text).filter((each) => each !== by);
  if (by === undefined || others.length === 0) return null;
  return (
    <div class="found-by">
      <span>{t('foundBy', { what: t(SEARCHED_BY[by]) })}</span>
      <span class="soft">{t('lookAs')}</span>
      {others.map((other) => (
        <Button
          key={other}
          size="small"
          label={`${t(SEARCHED_BY[other])}: ${filter.text}`}
          onClick={() => onSearch({ ...filter, by: other })}
        >
          {t(SEARCHED_BY[other])}
        </Button>
      ))}
    </div>
  );
}

function columnsOf(entityId: string): readonly Column<FoundPayment>[] {
  return [
    {
      title: t('amount'),
      number: true,
      cell: ({ id, amount, currency }) => (
        <a href={hashOf({ place: 'payment', entityId, query: { id } })}>{moneyText(amount, currency)}</a>
      ),
    },
    {
      title: t('state'),
      cell: ({ state }) => <Badge tone={stateWord(state).tone}>{stateWord(state).text}</Badge>,
    },
    { title: t('at'), cell: ({ at }) => <time dateTime={at}>{momentText(at)}</time> },
    { title: t('type'), cell: ({ paymentType }) => typeWord(paymentType) },
    { title: t('card'), cell: cardText },
    {
      title: t('reference'),
      cell: ({ reference, merchantTransactionId }) => (
        <span class="payment-text">{merchantTransactionId ?? reference}</span>
      ),
    },
    {
      title: t('terminal'),
      cell: ({ agentId, terminalId }) => (
        <span class="payment-text">
          {[agentId, terminalId].filter((part) => part !== undefined).join(' / ')}
        </span>
      ),
    },
  ];
}

/** Hands the file of the list to the browser. */
async function saveFile(
  client: ViewProps['client'],
  filter: PaymentFilter,
  by: PaymentFilter['by'],
): Promise<void> {
  try {
    const { text, count, isAll } = await exportPayments(client, filter, by);
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    const link = document.createElement('a');
    Object.assign(link, { href: url, download: 'payments.csv' });
    link.click();
    URL.revokeObjectURL(url);
    if (!isAll) showToast(t('csvMore', { count }), 'warn');
  } catch (error) {
    showToast((error as Error).message, 'bad');
  }
}
