import { Confirm } from '@tillbridge/protocol/panel/components/dialog.js';
import { Field, Select } from '@tillbridge/protocol/panel/components/field.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Resolution } from '../api/agent-client.js';
import { saleAmount, typeText } from '../model/sale-words.js';
import type { OnSaleProps } from './sale-dialog.js';

const OUTCOMES: readonly { readonly value: Resolution; readonly label: string }[] = [
  { value: 'failed', label: 'Failed: no money moved' },
  { value: 'declined', label: 'Declined: no money moved' },
  { value: 'reversed', label: 'Reversed: the money went back' },
  { value: 'approved', label: 'Approved: the money was received' },
];

/** Longest note that the agent takes. */
const MAX_NOTE = 200;

/** Staff states how a parked sale ended. */
export function ResolveDialog({ store, sale, onClose }: OnSaleProps): JSX.Element {
  const [outcome, setOutcome] = useState<Resolution>('failed');
  const [note, setNote] = useState('');
  const stands = outcome === 'approved';
  return (
    <Confirm
      title={`How did ${typeText(sale.type).toLowerCase()} ${sale.reference} end?`}
      action={`Resolve as ${outcome}`}
      danger={!stands}
      disabled={note.trim() === ''}
      onConfirm={() => store.act(store.client.resolve(sale.reference, outcome, note.trim()))}
      onClose={onClose}
    >
      <p>{sale.cashierText}</p>
      <p>
        {stands
          ? `${saleAmount(sale)} counts as received. Only say so when you have seen it at the acquirer.`
          : `${saleAmount(sale)} does not count. Whatever was recorded of it is reversed.`}
      </p>
      <Select label="It ended as" options={OUTCOMES} value={outcome} onChange={setOutcome} />
      <Field label="How you found out" lines maxLength={MAX_NOTE} value={note} onInput={setNote} required />
    </Confirm>
  );
}
