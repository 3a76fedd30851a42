import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card } from '@tillbridge/panel-kit/components/card.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TokenRight } from '../../api/answers.js';
import type { GatewayClient } from '../../api/gateway-client.js';
import type { FollowUp, Money, NextStep, Payment } from '../../api/payment-answers.js';
import { moneyText, t } from '../../texts/texts.js';
import { FollowUpDialog } from './follow-up-dialog.js';

/** The right of each follow-up. */
const RIGHTS: Readonly<Record<FollowUp, TokenRight>> = {
  capture: 'pay',
  refund: 'refund',
  reversal: 'refund',
  increment: 'pay',
};

/** Amounts, largest meaning first. Without money they are left out, but for the first two. */
const AMOUNTS = ['authorized', 'captured', 'refunded', 'chargedBack', 'reversed'] as const;

/** The money of a payment: what was done with it, what still can be, and why not. */
export function MoneyCard({
  client,
  entityId,
  payment,
  money,
  rights,
  onDone,
}: {
  readonly client: GatewayClient;
  readonly entityId: string;
  readonly payment: Payment;
  readonly money: Money;
  readonly rights: readonly TokenRight[];
  readonly onDone: () => Promise<void>;
}): JSX.Element {
  const [step, setStep] = useState<NextStep>();
  return (
    <Card title={t('money')} class="money">
      <dl class="money-amounts">
        {AMOUNTS.map((name) => (
          <div key={name} class={Number(money[name]) === 0 ? 'money-none' : ''}>
            <dt>{t(name)}</dt>
            <dd class="numeric">{moneyText(money[name], money.currency)}</dd>
          </div>
        ))}
      </dl>
      <h3>{t('whatNext')}</h3>
      <ul class="money-next">
        {money.next.map((each) => (
          <li key={each.followUp}>
            <Next step={each} currency={money.currency} has={rights} onStep={() => setStep(each)} />
          </li>
        ))}
      </ul>
      {step && (
        <FollowUpDialog
          client={client}
          entityId={entityId}
          payment={payment}
          money={money}
          step={step}
          onDone={onDone}
          onClose={() => setStep(undefined)}
        />
      )}
    </Card>
  );
}

function Next({
  step: { followUp, allowed, upTo, code, description },
  currency,
  has,
  onStep,
}: {
  readonly step: NextStep;
  readonly currency: string;
  readonly has: readonly TokenRight[];
  readonly onStep: () => void;
}): JSX.Element {
  if (!allowed)
    return (
      <span class="soft">
        <strong>{t(followUp)}</strong>{' '}
        <span lang="en">{t('notPossible', { why: description ?? '', code: code ?? '' })}</span>
      </span>
    );
  const most = upTo === undefined ? t('possible') : moneyText(upTo, currency);
  // A reversal takes all that is left, other steps a part of it.
  const limit = upTo === undefined || followUp === 'reversal' ? most : t('upTo', { amount: most });
  const may = has.includes(RIGHTS[followUp]);
  return (
    <>
      {may ? <Button onClick={onStep}>{t(followUp)}</Button> : <strong>{t(followUp)}</strong>}
      <span class="soft">{may ? limit : `${limit}, ${t('roleLacks')}`}</span>
    </>
  );
}
