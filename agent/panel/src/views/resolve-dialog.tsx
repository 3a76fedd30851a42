import { Confirm } from '@tillbridge/panel-kit/components/dialog.js';
import { Field, Select } from '@tillbridge/panel-kit/components/field.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Resolution } from '../api/agent-client.js';
import { saleAmount, saleWords } from '../model/sale-words.js';
import type { TextKey } from '../texts/en.js';
import { t } from '../texts/texts.js';
import { FaultNote } from './fault-note.js';
import type { OnSaleProps } from './on-sale-props.js';
import { technicalText } from './sale-card.js';

/** What each outcome means, and the words of the button that states it. */
const OUTCOMES: Readonly<Record<Resolution, readonly [meaning: TextKey, action: TextKey]>> = {
  failed: ['asFailed', 'resolveAsFailed'],
  declined: ['asDeclined', 'resolveAsDeclined'],
  reversed: ['asReversed', 'resolveAsReversed'],
  approved: ['asApproved', 'resolveAsApproved'],
};

const OPTIONS = Object.keys(OUTCOMES) as readonly Resolution[];

/** Longest note that the agent takes. */
const MAX_NOTE = 200;

/** Staff states how a parked sale ended. */
export function ResolveDialog({ store, sale, onClose }: OnSaleProps): JSX.Element {
  const [outcome, setOutcome] = useState<Resolution>('failed');
  const [note, setNote] = useState('');
  const stands = outcome === 'approved';
  return (
    <Confirm
      title={t('howEnded', { reference: sale.reference })}
      action={t(OUTCOMES[outcome][1])}
      danger={!stands}
      disabled={note.trim() === ''}
      onConfirm={() => store.act(store.client.resolve(sale.reference, outcome, note.trim()))}
      onClose={onClose}
    >
      <FaultNote todo={saleWords(sale).answer} detail={technicalText(sale)} />
      <p>{t(stands ? 'countsAsReceived' : 'doesNotCount', { amount: saleAmount(sale) })}</p>
      <Select
        label={t('endedAs')}
        options={OPTIONS.map((value) => ({ value, label: t(OUTCOMES[value][0]) }))}
        value={outcome}
        onChange={setOutcome}
      />
      <Field label={t('howFoundOut')} lines maxLength={MAX_NOTE} value={note} onInput={setNote} required />
    </Confirm>
  );
}
