import { Badge, type Tone } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { Select } from '@tillbridge/panel-kit/components/field.js';
import { type Column, Table } from '@tillbridge/panel-kit/components/table.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RequestOutcome, RequestPage, SentRequest } from '../../api/request-answers.js';
import { hashOf } from '../../model/places.js';
import type { TextKey } from '../../texts/en.js';
import { preciseText, t } from '../../texts/texts.js';
import { Fault } from '../parts/fault.js';
import { usePolled } from '../parts/polled.js';
import type { ViewProps } from '../shell.js';
import { RequestDialog } from './request-dialog.js';

/** How often the list is loaded again, in milliseconds. */
const EVERY_MS = 10_000;

const OUTCOMES: Readonly<Record<RequestOutcome, readonly [TextKey, Tone]>> = {
  approved: ['outcomeApproved', 'good'],
  'approved-review': ['outcomeReview', 'warn'],
  pending: ['outcomePending', 'warn'],
  declined: ['outcomeDeclined', 'neutral'],
  refused: ['outcomeRefused', 'bad'],
  failed: ['outcomeFault', 'bad'],
};

function isOutcome(text: string | undefined): text is RequestOutcome {
  return text !== undefined && Object.hasOwn(OUTCOMES, text);
}

/** The requests of the merchant or channel as they were sent, masked, the newest first: what was wrong with each. */
export function RequestsView({ client, entityId, query }: ViewProps): JSX.Element {
  const [open, setOpen] = useState<SentRequest>();
  const [older, setOlder] = useState<RequestPage>();
  const { outcome } = query;
  const limits = { limit: '50', ...(isOutcome(outcome) && { outcome }) };
  const key = isOutcome(outcome) ? outcome : '';
  useEffect(() => setOlder(undefined), [key]);
  const isMeant = entityId !== undefined;
  const { value, fault } = usePolled(key, older ? 0 : EVERY_MS, async (isUnattended) =>
    isMeant
      ? client.get<RequestPage>(`/v1/requests?${new URLSearchParams(limits)}`, { isUnattended })
      : undefined,
  );
  if (!isMeant)
    return (
      <Card title={t('requests')}>
        <Empty>{t('chooseForRequests')}</Empty>
      </Card>
    );
  const next = older ? older.next : value?.next;
  const loadOlder = async () => {
    const after = new URLSearchParams({ ...limits, after: next ?? '' });
    const page = await client.get<RequestPage>(`/v1/requests?${after}`);
    setOlder((shown) => ({ ...page, requests: [...(shown?.requests ?? []), ...page.requests] }));
  };
  const choose = (chosen: string) => {
    location.hash = hashOf({ place: 'requests', entityId, query: chosen === '' ? {} : { outcome: chosen } });
  };
  const rows = [...(value?.requests ?? []), ...(older?.requests ?? [])];
  const options = [
    { value: '', label: t('anyOutcome') },
    ...Object.entries(OUTCOMES).map(([name, [text]]) => ({ value: name, label: t(text) })),
  ];
  return (
    <Card
      title={t('requests')}
      tools={<Select label={t('outcomeFilter')} options={options} value={key} onChange={choose} />}
    >
      <p class="soft">{t('requestsWords')}</p>
      <Fault error={fault} />
      {!value && !fault && <p role="status">{t('loading')}</p>}
      {value && rows.length === 0 && <Empty>{t(key === '' ? 'noRequests' : 'noRequestsFound')}</Empty>}
      {rows.length > 0 && (
        <Table label={t('requests')} columns={columnsOf(setOpen)} rows={rows} rowKey={({ id }) => id} />
      )}
      {next !== undefined && <Button onClick={loadOlder}>{t('olderRequests')}</Button>}
      {open && <RequestDialog request={open} entityId={entityId} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

function columnsOf(onOpen: (request: SentRequest) => void): readonly Column<SentRequest>[] {
  return [
    {
      title: t('request'),
      cell: (request) => (
        <Button
          size="small"
          kind="quiet"
          label={`${request.method} ${request.path}, ${preciseText(request.at)}`}
          onClick={() => onOpen(request)}
        >
          {`${request.method} ${request.path}`}
        </Button>
      ),
    },
    {
      title: t('outcomeFilter'),
      cell: ({ outcome, status }) => {
        const [text, tone] = isOutcome(outcome) ? OUTCOMES[outcome] : [undefined, 'neutral' as const];
        return <Badge tone={tone}>{text ? t(text) : String(status)}</Badge>;
      },
    },
    { title: t('resultCode'), cell: ({ resultCode }) => resultCode },
    { title: t('at'), cell: ({ at }) => <time dateTime={at}>{preciseText(at)}</time> },
    { title: t('duration'), number: true, cell: ({ durationMs }) => `${Math.round(durationMs)} ms` },
  ];
}
