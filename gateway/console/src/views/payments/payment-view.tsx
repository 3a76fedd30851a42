import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { Facts } from '@tillbridge/panel-kit/components/list.js';
import type { JSX } from 'preact';
import { CallRefusedError } from '../../api/gateway-client.js';
import type { Payment, PaymentTree, Story } from '../../api/payment-answers.js';
import { readPayment, readStory } from '../../api/payments-client.js';
import { curlOf } from '../../model/curl.js';
import { hashOf, rightsAt } from '../../model/places.js';
import { momentText, moneyText, t } from '../../texts/texts.js';
import { CopyButton } from '../parts/copy-button.js';
import { Fault } from '../parts/fault.js';
import { usePolled } from '../parts/polled.js';
import type { ViewProps } from '../shell.js';
import { LinkedCard } from './linked-card.js';
import { MoneyCard } from './money-card.js';
import './payments.css';
import { StoryCard } from './story-card.js';
import { cardText, stateWord, typeWord } from './words.js';

/** How often a payment is loaded again, in milliseconds. */
const EVERY_MS = 5_000;

/** A payment: its money first, then what happened, and what is linked with it. */
export function PaymentView({ client, session, entityId, query }: ViewProps): JSX.Element {
  const id = query.id ?? '';
  const { value, fault, reload } = usePolled(id, EVERY_MS, async (isUnattended) => {
    const [payment, story] = await Promise.all([
      readPayment(client, id, isUnattended),
      readStory(client, id, isUnattended),
    ]);
    return { payment, story };
  });
  const back = (
    <p>
      <a href={hashOf({ place: 'payments', entityId })}>{t('backToPayments')}</a>
    </p>
  );
  const isUnknown = fault instanceof CallRefusedError && fault.status === 404;
  if (!value || entityId === undefined)
    return (
      <>
        {back}
        <Card title={t('payment')}>
          {isUnknown || entityId === undefined ? <Empty>{t('noPayment')}</Empty> : <Fault error={fault} />}
          {!fault && <p role="status">{t('loading')}</p>}
        </Card>
      </>
    );
  const { payment, story } = value;
  return (
    <>
      {back}
      <Fault error={fault} />
      <div class="payment-top">
        <MoneyCard
          client={client}
          entityId={entityId}
          payment={payment}
          money={story.money}
          rights={rightsAt(session, entityId)}
          onDone={reload}
        />
        <AboutCard payment={payment} story={story} entityId={entityId} />
      </div>
      <StoryCard story={story} />
      <LinkedCard story={story} entityId={entityId} />
    </>
  );
}

/** What it is, and its ids. */
function AboutCard({
  payment,
  story,
  entityId,
}: {
  readonly payment: Payment;
  readonly story: Story;
  readonly entityId: string;
}): JSX.Element {
  const { id, paymentType, amount, currency, result, merchantTransactionId, card, pos, customer } = payment;
  const own = within(story.linked, id);
  const rows: readonly (readonly [string, JSX.Element | string | undefined])[] = [
    [t('type'), typeWord(paymentType)],
    [t('amount'), moneyText(amount, currency)],
    [t('at'), own && <time dateTime={own.at}>{momentText(own.at)}</time>],
    [t('state'), own && <Badge tone={stateWord(own.state).tone}>{stateWord(own.state).text}</Badge>],
    [t('result'), <span lang="en">{`${result.description} (${result.code})`}</span>],
    [t('card'), cardText(payment)],
    [t('holder'), card?.holder],
    [t('reference'), merchantTransactionId],
    [t('terminal'), pos?.terminalId],
    [t('email'), customer?.email],
    [t('id'), <code>{id}</code>],
  ];
  return (
    <Card
      title={t('about_')}
      tools={
        <>
          <CopyButton text={() => id}>{t('copyId')}</CopyButton>
          <CopyButton text={() => curlOf(location.origin, 'GET', `/v1/payments/${id}`, { entityId })}>
            {t('copyCurl')}
          </CopyButton>
        </>
      }
    >
      <Facts
        rows={rows.flatMap(([name, value]) =>
          value === undefined || value === '' ? [] : [[name, value] as const],
        )}
      />
    </Card>
  );
}

function within(trees: readonly PaymentTree[], id: string): PaymentTree | undefined {
  for (const tree of trees) {
    const found = tree.id === id ? tree : within(tree.followedBy, id);
    if (found) return found;
  }
  return undefined;
}
