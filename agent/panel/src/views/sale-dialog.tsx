import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Confirm, Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import { Field } from '@tillbridge/panel-kit/components/field.js';
import { Facts } from '@tillbridge/panel-kit/components/list.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Sale } from '../api/answers.js';
import { digitsFor, digitsOf, typedAmount } from '../model/amount-entry.js';
import type { LiveStore } from '../model/live-store.js';
import { newReference, referenceBytes } from '../model/new-reference.js';
import { isReferral, saleAmount, saleWords, typeText } from '../model/sale-words.js';
import { clockTime, money, t } from '../texts/texts.js';
import { acting } from './acting.js';
import { SaleBadge } from './last-sales.js';
import type { OnSaleProps } from './on-sale-props.js';
import { ReceiptDialog } from './receipt-dialog.js';
import { ResolveDialog } from './resolve-dialog.js';
import { Say } from './sale-card.js';

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
  const back = () => setAsking(undefined);
  const dialog = { store, sale, onClose: back };
  if (asking === 'receipt') return <ReceiptDialog {...dialog} />;
  if (asking === 'refund') return <RefundDialog {...dialog} onStarted={onClose} />;
  if (asking === 'reversal') return <ReversalDialog {...dialog} />;
  if (asking === 'resolution') return <ResolveDialog {...dialog} />;
  if (asking === 'voice') return <VoiceDialog {...dialog} />;
  return (
    <Dialog title={`${typeText(sale.type)} ${sale.reference}`} wide onClose={onClose}>
      <div class="sale-head">
        <p class="sale-amount numeric">{saleAmount(sale)}</p>
        <SaleBadge sale={sale} />
      </div>
      <p lang="en">{sale.cashierText}</p>
      <Say text={saleWords(sale).say} />
      <Facts rows={factsOf(sale)} />
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

function factsOf(sale: Sale): readonly (readonly [string, ComponentChildren])[] {
  const { card, emv, till, terminalId, approvalCode, resultCode, mode, captures, lateDecline } = sale;
  const rows: (readonly [string, ComponentChildren])[] = [[t('terminal'), terminalId]];
  const add = (name: string, value: ComponentChildren | undefined) => {
    if (value !== undefined && value !== null && value !== '') rows.push([name, value]);
  };
  add(t('till'), till);
  add(t('requestedAmount'), sale.approvedAmount && money(sale.amount, sale.currency));
  add(
    t('card'),
    card && [card.brand, card.last4Digits && `•••• ${card.last4Digits}`].filter(Boolean).join(' '),
  );
  add(t('entry'), card?.entryMode);
  add(t('decided'), mode);
  add(t('approvalCode'), approvalCode);
  add(t('result'), resultCode);
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

function RefundDialog({
  store,
  sale,
  onClose,
  onStarted,
}: OnSaleProps & { readonly onStarted: () => void }): JSX.Element {
  const { currency, terminalId, reference: originalReference } = sale;
  const [digits, setDigits] = useState(digitsFor(sale.approvedAmount ?? sale.amount, currency));
  const [reference] = useState(() =>
    newReference(store.view.value.caller.till, Date.now(), referenceBytes()),
  );
  const amount = typedAmount(digits, currency);
  const refund = async () => {
    const request = { reference, type: 'refund', amount, currency, terminalId, originalReference } as const;
    await store.act(store.client.start(request));
    store.select(terminalId);
    onStarted();
  };
  return (
    <Confirm
      title={t('refundTitle', { reference: originalReference })}
      action={t('refundAmount', { amount: money(amount, currency) })}
      disabled={Number(amount) === 0}
      onConfirm={refund}
      onClose={onClose}
    >
      <p>{t('refundWords', { id: terminalId })}</p>
      <Field
        label={t('amountIn', { currency })}
        inputMode="numeric"
        value={amount}
        onInput={(value) => setDigits(digitsOf(value))}
      />
    </Confirm>
  );
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
