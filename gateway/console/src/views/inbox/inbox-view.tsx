import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { Select } from '@tillbridge/panel-kit/components/field.js';
import { List, ListItem } from '@tillbridge/panel-kit/components/list.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { InboxItem, InboxKind, InboxPage } from '../../api/inbox-answers.js';
import { hashOf, rightsAt } from '../../model/places.js';
import type { TextKey } from '../../texts/en.js';
import { ageSince, momentText, t } from '../../texts/texts.js';
import { Fault } from '../parts/fault.js';
import { usePolled } from '../parts/polled.js';
import type { ViewProps } from '../shell.js';
import { ActDialog } from './act-dialog.js';
import './inbox.css';

/** How often the list is loaded again, in milliseconds. */
const EVERY_MS = 10_000;

const KINDS: Readonly<Record<InboxKind, TextKey>> = {
  review: 'kindReview',
  'parked-message': 'kindParkedMessage',
  'late-decline': 'kindLateDecline',
  difference: 'kindDifference',
  'refused-device': 'kindRefusedDevice',
  webhook: 'kindWebhook',
  'acquirer-file': 'kindAcquirerFile',
  alert: 'kindAlert',
};

/** What needs a person, with its one action and what that does to the money; the critical first. */
export function InboxView({ client, session, entityId, query }: ViewProps): JSX.Element {
  const [acting, setActing] = useState<InboxItem>();
  const kind = Object.hasOwn(KINDS, query.kind ?? '') ? (query.kind as InboxKind) : undefined;
  const parameters = new URLSearchParams({ limit: '100', ...(kind && { kind }) });
  const { value, fault, reload } = usePolled(kind ?? '', EVERY_MS, (isUnattended) =>
    client.get<InboxPage>(`/v1/inbox?${parameters}`, { isUnattended }),
  );
  const rights = rightsAt(session, entityId);
  const choose = (chosen: string) => {
    location.hash = hashOf({ place: 'inbox', entityId, query: chosen === '' ? {} : { kind: chosen } });
  };
  return (
    <Card title={t('inbox')} tools={value && <KindSelect page={value} value={kind} onChange={choose} />}>
      <Fault error={fault} />
      {!value && !fault && <p role="status">{t('loading')}</p>}
      {value?.items.length === 0 && <Empty>{t(kind ? 'noInboxOfKind' : 'noInbox')}</Empty>}
      {value && value.items.length > 0 && (
        <List label={t('inbox')}>
          {value.items.map((item) => (
            <Row
              key={`${item.kind} ${item.id}`}
              item={item}
              merchant={entityId === undefined ? nameOf(session.entities, item.entityId) : undefined}
              paymentHash={paymentHashOf(item, entityId)}
              mayAct={rights.includes(item.action.right)}
              onAct={() => setActing(item)}
            />
          ))}
        </List>
      )}
      {acting && (
        <ActDialog
          client={client}
          item={acting}
          title={t(KINDS[acting.kind])}
          onDone={reload}
          onClose={() => setActing(undefined)}
        />
      )}
    </Card>
  );
}

function nameOf(
  entities: ViewProps['session']['entities'],
  entityId: string | undefined,
): string | undefined {
  return entities.find(({ id }) => id === entityId)?.name ?? entityId;
}

function paymentHashOf(item: InboxItem, entityId: string | undefined): string | undefined {
  const { paymentId: id } = item;
  return id === undefined
    ? undefined
    : hashOf({ place: 'payment', entityId: entityId ?? item.entityId, query: { id } });
}

function KindSelect({
  page: { counts },
  value,
  onChange,
}: {
  readonly page: InboxPage;
  readonly value: InboxKind | undefined;
  readonly onChange: (kind: string) => void;
}): JSX.Element {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const options = [
    { value: '', label: t('everyKind', { count: all }) },
    ...(Object.keys(KINDS) as InboxKind[])
      .filter((kind) => counts[kind] !== undefined || kind === value)
      .map((kind) => ({
        value: kind as string,
        label: t('kindCount', { kind: t(KINDS[kind]), count: counts[kind] ?? 0 }),
      })),
  ];
  return <Select label={t('kindOfThing')} options={options} value={value ?? ''} onChange={onChange} />;
}

function Row({
  item: { kind, severity, text, detail, since, until, acknowledgedAt, note, agentId, action },
  merchant,
  paymentHash,
  mayAct,
  onAct,
}: {
  readonly item: InboxItem;
  /** Where the list is of several. */
  readonly merchant: string | undefined;
  readonly paymentHash: string | undefined;
  readonly mayAct: boolean;
  readonly onAct: () => void;
}): JSX.Element {
  const facts = [
    t('sinceAge', { age: ageSince(since) }),
    ...(until === undefined ? [] : [t('decidedBy', { at: momentText(until) })]),
    ...(agentId === undefined ? [] : [t('store', { id: agentId })]),
    ...(merchant === undefined ? [] : [merchant]),
  ];
  return (
    <ListItem
      main={
        <div class="inbox-head">
          <Badge tone={severity === 'critical' ? 'bad' : 'warn'}>{t(severity)}</Badge>
          <strong>{t(KINDS[kind])}</strong>
        </div>
      }
      second={
        <div class="inbox-words">
          <p class="inbox-text" lang="en">
            {text}
          </p>
          {detail !== '' && <p lang="en">{detail}</p>}
          <p>{facts.join(' · ')}</p>
          {acknowledgedAt !== undefined && (
            <p>
              {t('dealtWith', { at: momentText(acknowledgedAt) })}
              {note !== undefined && `: ${note}`}
            </p>
          )}
          <p lang="en">{t('theMoney', { text: action.money })}</p>
          {!mayAct && <p>{t('needsOperator')}</p>}
          {paymentHash !== undefined && (
            <p>
              <a href={paymentHash}>{t('openPayment')}</a>
            </p>
          )}
        </div>
      }
      end={
        <Button
          size="small"
          kind="primary"
          disabled={!mayAct}
          label={t('actOn', { kind: t(KINDS[kind]) })}
          onClick={onAct}
        >
          {t('act')}
        </Button>
      }
    />
  );
}
