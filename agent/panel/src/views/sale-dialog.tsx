import { Button } from '@tillbridge/protocol/panel/components/button.js';
import { Confirm, Dialog } from '@tillbridge/protocol/panel/components/dialog.js';
import { Field } from '@tillbridge/protocol/panel/components/field.js';
import { Facts } from '@tillbridge/protocol/panel/components/list.js';
import { amountText, timeText } from '@tillbridge/protocol/panel/format.js';
import { useChosen } from '@tillbridge/protocol/panel/state.js';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Sale } from '../api/answers.js';
import { digitsOf, typedAmount } from '../model/amount-entry.js';
import type { LiveStore } from '../model/live-store.js';
import { newReference, referenceBytes } from '../model/new-reference.js';
import { isReferral, saleAmount, saleWords, typeText } from '../model/sale-words.js';
import { SaleBadge } from './last-sales.js';
import { ReceiptDialog } from './receipt-dialog.js';
import { ResolveDialog } from './resolve-dialog.js';
import { Say } from './sale-card.js';

/** A dialog on one sale. */
export interface OnSaleProps {
  readonly store: LiveStore;
  readonly sale: Sale;
  readonly onClose: () => void;
}

/** What the dialog asks in another one. */
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
  const sale = useChosen(store.view, ({ sales }) => sales.find((each) => each.reference === reference));
  const zone = useChosen(store.view, ({ status }) => status?.store.timeZone);
  const [asking, setAsking] = useState<Asking>();
  const [asked, setAsked] = useState(false);
  if (!sale) {
    if (!asked) {
      setAsked(true);
      void store.act(store.client.sale(reference)).catch(onClose);
    }
    return null;
  }
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
      <p>{sale.cashierText}</p>
      <Say text={saleWords(sale).say} />
      <Facts rows={factsOf(sale)} />
      <details>
        <summary>What happened</summary>
        <ol class="timeline">
          {sale.timeline.map(({ at, step, detail, by }, place) => (
            <li key={`${place} ${step}`}>
              <time class="numeric soft" dateTime={at}>
                {timeText(at, zone)}
              </time>
              <span>
                {step}
                {detail !== undefined && <span class="soft"> {detail}</span>}
                {by !== undefined && <span class="soft"> (till {by})</span>}
              </span>
            </li>
          ))}
        </ol>
      </details>
      <div class="dialog-actions">
        {sale.receipts && (
          <Button icon="receipt" onClick={() => setAsking('receipt')}>
            Receipt
          </Button>
        )}
        {isReferral(sale) && store.may('sell') && (
          <Button kind="primary" onClick={() => setAsking('voice')}>
            Enter approval code
          </Button>
        )}
        {sale.state === 'parked' && store.may('resolve') && (
          <Button kind="primary" icon="check" onClick={() => setAsking('resolution')}>
            Resolve
          </Button>
        )}
        {isStanding(sale) && sale.type === 'sale' && store.may('refund') && (
          <Button icon="undo" onClick={() => setAsking('refund')}>
            Refund
          </Button>
        )}
        {isStanding(sale) && store.may('refund') && (
          <Button kind="danger" icon="cross" onClick={() => setAsking('reversal')}>
            Reverse
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** Whether money moved, or will. */
function isStanding({ state, outcome }: Sale): boolean {
  return state === 'done' && outcome === 'approved';
}

function factsOf(sale: Sale): readonly (readonly [string, ComponentChildren])[] {
  const { card, emv, till, terminalId, approvalCode, resultCode, mode, captures, lateDecline } = sale;
  const rows: (readonly [string, ComponentChildren])[] = [['Terminal', terminalId]];
  const add = (name: string, value: ComponentChildren | undefined) => {
    if (value !== undefined && value !== null && value !== '') rows.push([name, value]);
  };
  add('Till', till);
  add('Asked for', sale.approvedAmount && amountText(sale.amount, sale.currency));
  add('Card', card && [card.brand, card.last4Digits && `•••• ${card.last4Digits}`].filter(Boolean).join(' '));
  add('Entry', card?.entryMode);
  add('Decided', mode);
  add('Approval code', approvalCode);
  add('Result', resultCode);
  add('Application', emv?.label ?? emv?.aid);
  add('Captured', captures?.map(({ amount, state }) => `${amount} ${state}`).join(', '));
  add('Late decline', lateDecline && (lateDecline.acknowledgedAt ? 'acknowledged' : 'not acknowledged'));
  add('Acknowledged by', lateDecline?.acknowledgedBy);
  return rows;
}

function ReversalDialog({ store, sale, onClose }: OnSaleProps): JSX.Element {
  return (
    <Confirm
      title={`Reverse ${saleAmount(sale)}?`}
      action="Reverse it"
      danger
      onConfirm={() => store.act(store.client.reverse(sale.reference))}
      onClose={onClose}
    >
      <p>
        The whole {typeText(sale.type).toLowerCase()} {sale.reference} is taken back. Its card is not needed.
        This cannot be undone.
      </p>
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
  const [digits, setDigits] = useState(digitsOf(sale.approvedAmount ?? sale.amount));
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
      title={`Refund sale ${originalReference}`}
      action={`Refund ${amountText(amount, currency)}`}
      disabled={Number(amount) === 0}
      onConfirm={refund}
      onClose={onClose}
    >
      <p>The customer gets the amount back. Terminal {terminalId} may ask for the card.</p>
      <Field
        label={`Amount in ${currency}`}
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
      title="Approval code of the issuer"
      action="Enter it"
      disabled={!/^[0-9A-Za-z]{2,6}$/.test(code)}
      onConfirm={() => store.act(store.client.approveByVoice(sale.reference, code))}
      onClose={onClose}
    >
      <p>Call the issuer of the card. If it approves, it gives you a code of 2 to 6 letters or digits.</p>
      <Field label="Approval code" maxLength={6} value={code} onInput={setCode} />
    </Confirm>
  );
}
