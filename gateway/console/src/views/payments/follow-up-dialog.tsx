import { Confirm } from '@tillbridge/panel-kit/components/dialog.js';
import { Field } from '@tillbridge/panel-kit/components/field.js';
import { showToast } from '@tillbridge/panel-kit/components/toasts.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GatewayClient } from '../../api/gateway-client.js';
import type { FollowUp, Money, NextStep, Payment } from '../../api/payment-answers.js';
import { followUpForm } from '../../api/payments-client.js';
import { curlOf } from '../../model/curl.js';
import type { TextKey } from '../../texts/en.js';
import { moneyText, t } from '../../texts/texts.js';
import { CopyButton } from '../parts/copy-button.js';

const WORDS = {
  capture: ['captureWords', 'doCapture'],
  refund: ['refundWords', 'doRefund'],
  reversal: ['reversalWords', 'doReversal'],
  increment: ['incrementWords', 'doIncrement'],
} as const satisfies Readonly<Record<FollowUp, readonly [TextKey, TextKey]>>;

/** Asks before money moves: the button names the amount. A second click, or a second try after a lost answer, moves nothing twice. */
export function FollowUpDialog({
  client,
  entityId,
  payment,
  money,
  step,
  onDone,
  onClose,
}: {
  readonly client: GatewayClient;
  readonly entityId: string;
  readonly payment: Payment;
  readonly money: Money;
  readonly step: NextStep;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element {
  const { followUp, paymentType, upTo } = step;
  const { currency } = money;
  const isWhole = followUp === 'reversal';
  // A reversal names no amount: it takes all that is left.
  const whole = upTo ?? (Number(money.captured) > 0 ? money.captured : money.authorized);
  const [typed, setTyped] = useState(isWhole ? whole : (upTo ?? ''));
  // Of this amount: another amount is another request.
  const [keys] = useState(() => new Map<string, string>());
  const amount = typed.trim().replace(',', '.');
  const fault = isWhole ? undefined : faultOf(amount, upTo, currency);
  const path = `/v1/payments/${payment.id}`;
  const form = followUpForm(followUp, {
    ...{ entityId, paymentType, currency },
    amount: isWhole ? undefined : withDecimals(amount),
  });
  const key = keys.get(amount) ?? newKey();
  keys.set(amount, key);
  const [words, action] = WORDS[followUp];
  const shown = fault === undefined ? moneyText(amount, currency) : '–';
  const send = async () => {
    try {
      const made = await client.post<Payment>(path, form, { idempotencyKey: key });
      const result = `${made.result.description} (${made.result.code})`;
      showToast(t('followUpDone', { what: t(action, { amount: shown }), result }), 'good');
    } finally {
      await onDone();
    }
  };
  return (
    <Confirm
      title={t(followUp)}
      action={t(action, { amount: shown })}
      danger={followUp === 'refund' || followUp === 'reversal'}
      disabled={fault !== undefined}
      onConfirm={send}
      onClose={onClose}
    >
      <p>{t(words, { amount: moneyText(isWhole ? whole : money.authorized, currency) })}</p>
      {!isWhole && (
        <Field
          label={t('amountIn', { currency })}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onInput={setTyped}
          maxLength={13}
          fault={fault}
        />
      )}
      {!isWhole && upTo !== undefined && (
        <p class="soft">{t('upTo', { amount: moneyText(upTo, currency) })}</p>
      )}
      <CopyButton text={() => curlOf(location.origin, 'POST', path, form, key)}>{t('copyCurl')}</CopyButton>
    </Confirm>
  );
}

function faultOf(amount: string, upTo: string | undefined, currency: string): string | undefined {
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(amount) || Number(amount) === 0) return t('amountWrong');
  const isTooMuch = upTo !== undefined && hundredths(amount) > hundredths(upTo);
  return isTooMuch ? t('amountTooMuch', { amount: moneyText(upTo, currency) }) : undefined;
}

/** Ten digits and two decimals are exact. */
function hundredths(amount: string): number {
  return Math.round(Number(amount) * 100);
}

/** The two decimals that the API takes. */
function withDecimals(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** `crypto.randomUUID` is there on secure origins alone. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
