import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Card } from '@tillbridge/panel-kit/components/card.js';
import type { JSX } from 'preact';
import type { PaymentTree, Story } from '../../api/payment-answers.js';
import { hashOf } from '../../model/places.js';
import { momentText, moneyText, t } from '../../texts/texts.js';
import { stateWord, typeWord } from './words.js';

/** The payments that are linked with one, each below what it follows. */
export function LinkedCard({
  story: { id, linked },
  entityId,
}: {
  readonly story: Story;
  readonly entityId: string;
}): JSX.Element {
  return (
    <Card title={t('linked')}>
      <Trees trees={linked} id={id} entityId={entityId} />
    </Card>
  );
}

function Trees({
  trees,
  id: ofPayment,
  entityId,
}: {
  readonly trees: readonly PaymentTree[];
  readonly id: string;
  readonly entityId: string;
}): JSX.Element | null {
  if (trees.length === 0) return null;
  return (
    <ul class="linked">
      {trees.map(({ id, paymentType, amount, currency, state, at, code, followedBy }) => (
        <li key={id}>
          <p>
            {id === ofPayment ? (
              <strong>{`${typeWord(paymentType)} ${moneyText(amount, currency)} (${t('thisPayment')})`}</strong>
            ) : (
              <a href={hashOf({ place: 'payment', entityId, query: { id } })}>
                {`${typeWord(paymentType)} ${moneyText(amount, currency)}`}
              </a>
            )}{' '}
            <Badge tone={stateWord(state).tone}>{stateWord(state).text}</Badge>{' '}
            <span class="soft">{`${momentText(at)} · ${code}`}</span>
          </p>
          <Trees trees={followedBy} id={ofPayment} entityId={entityId} />
        </li>
      ))}
    </ul>
  );
}
