import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Confirm, Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import { Field } from '@tillbridge/panel-kit/components/field.js';
import { Facts } from '@tillbridge/panel-kit/components/list.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Refunds, Sale } from '../api/answers.js';
import { digitsFor, digitsOf, typedAmount } from '../model/amount-entry.js';
import type { LiveStore } from '../model/live-store.js';
import { newReference, referenceBytes } from '../model/new-reference.js';
import { isReferral, saleAmount, saleWords, typeText } from '../model/sale-words.js';
import { labelOf } from '../model/terminal-label.js';
import { clockTime, money, t } from '../texts/texts.js';
import { acting } from './acting.js';
import { FaultNote } from './fault-note.js';
import { cardText, SaleBadge } from './last-sales.js';
import type { OnSaleProps } from './on-sale-props.js';
import { ReceiptDialog } from './receipt-dialog.js';
import { ResolveDialog } from './resolve-dialog.js';
import { technicalText } from './sale-card.js';
import { Say } from './say.js';

/** What the dialog asks the user in another one. */
type Asking = 'receipt' | 'refund' | 'reversal' | 'resolution' | 'voice';

/** A sale with all that is known of it and all that can be done with it. */
export function SaleDialog({
  store,
  reference,
  onClose,
}: {
  readonly store: LiveStore;
  readonly reference: string;
  readonly onClose: () => void;
}): JSX.Element | null {
  const found = useChosen(store.view, ({ sales }) => sales.find((each) => each.reference === reference));
  const zone = useChosen(store.view, ({ status }) => status?.store.timeZone);
  const status = useChosen(store.view, (view) => view.status);
  const [asking, setAsking] = useState<Asking>();
  const known = useRef(found);
  known.current = found ?? known.current;
  const isListed = found !== undefined;
  // It may be older than the sales that are listed, or be pushed out of them while it is looked at.
  useEffect(() => {
    if (!isListed)
      void acting(() => store.act(store.client.sale(reference))).then((read) => read || onClose());
  }, [isListed]);
  const sale = known.current;
  if (!sale) return null;
  const terminal = labelOf(status, sale.terminalId);
  const { answer, say, todo } = saleWords(sale, terminal);
  const back = () => setAsking(undefined);
  const dialog = { store, sale, onClose: back };
  if (asking === 'receipt') return <ReceiptDialog {...dialog} />;
  if (asking === 'refund') return <RefundDialog {...dialog} onStarted={onClose} />;
  if (asking === 'reversal') return <ReversalDialog {...dialog} />;
  if (asking === 'resolution') return <ResolveDialog {...dialog} />;
  if (asking === 'voice') return <VoiceDialog {...dialog} />;
  return (
    <Dialog title={`${typeText(sale.type)} · ${cardText(sale)}`} wide onClose={onClose}>
      <div class="sale-head">
        <p class="sale-amount numeric">{saleAmount(sale)}</p>
        <SaleBadge sale={sale} />
      </div>
      <FaultNote todo={todo ?? answer} detail={technicalText(sale)} />
      <Say text={say} />
      <Facts rows={factsOf(sale, terminal)} />
      <Timeline sale={sale} zone={zone} />
      <Actions store={store} sale={sale} onAsk={setAsking} />
    </Dialog>
  );
}

/** What happened, step by step. */
function Timeline({ sale, zone }: { readonly sale: Sale; readonly zone: string | undefined }): JSX.Element {
  return (
    <details>
      <summary>{t('whatHappened')}</summary>
      <Facts rows={machineFacts(sale)} />
      <ol class="timeline" lang="en">
        {sale.timeline.map(({ at, step, detail, by }, place) => (
          <li key={`${place} ${step}`}>
            <time class="numeric soft" dateTime={at}>
              {clockTime(at, zone)}
            </time>
            <span>
              {step}
              {detail !== undefined && <span class="soft"> {detail}</span>}
              {by !== undefined && <span class="soft"> ({t('byTill', { till: by })})</span>}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** What can be done with the sale now. */
function Actions({
  store,
  sale,
  onAsk,
}: {
  readonly store: LiveStore;
  readonly sale: Sale;
  readonly onAsk: (asking: Asking) => void;
}): JSX.Element {
  return (
    <div class="dialog-actions">
      {sale.receipts && (
        <Button icon="receipt" onClick={() => onAsk('receipt')}>
          {t('receipt')}
        </Button>
      )}
      {isReferral(sale) && store.may('sell') && (
        <Button kind="primary" onClick={() => onAsk('voice')}>
          {t('enterCode')}
        </Button>
      )}
      {sale.state === 'parked' && store.may('resolve') && (
        <Button kind="primary" icon="check" onClick={() => onAsk('resolution')}>
          {t('resolve')}
        </Button>
      )}
      {isStanding(sale) && sale.type === 'sale' && store.may('refund') && (
        <Button icon="undo" onClick={() => onAsk('refund')}>
          {t('refund')}
        </Button>
      )}
      {isStanding(sale) && store.may('refund') && (
        <Button kind="danger" icon="cross" onClick={() => onAsk('reversal')}>
          {t('reverse')}
        </Button>
      )}
    </div>
  );
}

/** Whether money moved, or will. */
function isStanding({ state, outcome }: Sale): boolean {
  return state === 'done' && outcome === 'approved';
}

type Rows = readonly (readonly [string, ComponentChildren])[];

/** What a technician finds the sale by. */
function machineFacts({ reference, paymentId, correlationId, resultCode, reason, failure }: Sale): Rows {
  const rows = [
    [t('reference'), reference],
    ['paymentId', paymentId],
    ['correlationId', correlationId],
    [t('result'), resultCode],
    [t('why'), [reason, failure].filter(Boolean).join(': ')],
  ] as const;
  return rows.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  );
}

function factsOf(sale: Sale, terminal: string): Rows {
  const { card, emv, till, approvalCode, mode, captures, lateDecline } = sale;
  const rows: (readonly [string, ComponentChildren])[] = [[t('terminal'), terminal]];
  const add = (name: string, value: ComponentChildren | undefined) => {
    if (value !== undefined && value !== null && value !== '') rows.push([name, value]);
  };
  add(t('till'), till);
  add(t('requestedAmount'), sale.approvedAmount && money(sale.amount, sale.currency));
  add(t('tip'), sale.tip && money(sale.tip, sale.currency));
  add(t('cashBack'), sale.cashBack && money(sale.cashBack, sale.currency));
  add(
    t('card'),
    card && [card.brand, card.last4Digits && `•••• ${card.last4Digits}`].filter(Boolean).join(' '),
  );
  add(t('entry'), card?.entryMode);
  add(t('decided'), mode);
  add(t('approvalCode'), approvalCode);
  add(t('application'), emv?.label ?? emv?.aid);
  add(
    t('captured'),
    captures?.map((each) => `${money(each.amount, sale.currency)} ${each.state}`).join(', '),
  );
  add(t('lateDecline'), lateDecline && t(lateDecline.acknowledgedAt ? 'acknowledged' : 'notAcknowledged'));
  add(t('acknowledgedBy'), lateDecline?.acknowledgedBy);
  return rows;
}

function ReversalDialog({ store, sale, onClose }: OnSaleProps): JSX.Element {
  return (
    <Confirm
      title={t('reverseTitle', { amount: saleAmount(sale) })}
      action={t('reverseIt')}
      danger
      onConfirm={() => store.act(store.client.reverse(sale.reference))}
      onClose={onClose}
    >
      <p>{t('reverseWords', { reference: sale.reference })}</p>
    </Confirm>
  );
}

/** What is left of a sale, once the agent has answered; not known where it does not. */
function useRefunds(store: LiveStore, reference: string): Refunds | undefined {
  const [refunds, setRefunds] = useState<Refunds>();
  useEffect(() => {
    let current = true;
    store.client.refunds(reference).then(
      (answer) => current && setRefunds(answer),
      // The agent checks the refund itself.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [store, reference]);
  return refunds;
}

function RefundDialog({
  store,
  sale,
  onClose,
  onStarted,
}: OnSaleProps & { readonly onStarted: () => void }): JSX.Element {
  const { currency, terminalId, reference: originalReference } = sale;
  const refunds = useRefunds(store, originalReference);
  const most = refunds?.refundable ?? sale.approvedAmount ?? sale.amount;
  const [entered, setEntered] = useState<string>();
  const [reference] = useState(() =>
    newReference(store.view.value.caller.till, Date.now(), referenceBytes()),
  );
  const amount = typedAmount(entered ?? digitsFor(most, currency), currency);
  const isTooMuch = Number(amount) > Number(most);
  const refund = async () => {
    const request = { reference, type: 'refund', amount, currency, terminalId, originalReference } as const;
    await store.start(request);
    store.select(terminalId);
    onStarted();
  };
  return (
    <Confirm
      title={t('refundTitle', { reference: cardText(sale) })}
      action={t('refundAmount', { amount: money(amount, currency) })}
      disabled={Number(amount) === 0 || isTooMuch}
      onConfirm={refund}
      onClose={onClose}
    >
      <p>{t('refundWords', { id: terminalId })}</p>
      <Field
        label={t('amountIn', { currency })}
        inputMode="numeric"
        value={amount}
        onInput={(value) => setEntered(digitsOf(value))}
        fault={isTooMuch ? leftText(refunds, most, currency) : undefined}
      />
      {!isTooMuch && refunds && Number(refunds.refunded) > 0 && (
        <p class="soft">{leftText(refunds, most, currency)}</p>
      )}
    </Confirm>
  );
}

/** What is left to be refunded. */
function leftText(refunds: Refunds | undefined, most: string, currency: string): string {
  const refundable = money(most, currency);
  if (!refunds || Number(refunds.refunded) === 0) return t('refundMost', { refundable });
  if (Number(refunds.refundable) === 0) return t('refundNone');
  const { refunded, taken } = refunds;
  return t('refundLeft', { refunded: money(refunded, currency), taken: money(taken, currency), refundable });
}

function VoiceDialog({ store, sale, onClose }: OnSaleProps): JSX.Element {
  const [code, setCode] = useState('');
  return (
    <Confirm
      title={t('voiceTitle')}
      action={t('enterIt')}
      disabled={!/^[0-9A-Za-z]{2,6}$/.test(code)}
      onConfirm={() => store.act(store.client.approveByVoice(sale.reference, code))}
      onClose={onClose}
    >
      <p>{t('voiceWords')}</p>
      <Field label={t('approvalCode')} maxLength={6} value={code} onInput={setCode} />
    </Confirm>
  );
}
