import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import { Choice } from '@tillbridge/panel-kit/components/field.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ReceiptCopy } from '../api/agent-client.js';
import { t } from '../texts/texts.js';
import type { OnSaleProps } from './on-sale-props.js';

const COPIES = ['customer', 'merchant'] as const satisfies readonly ReceiptCopy[];

/** A receipt, to be printed once more. */
export function ReceiptDialog({ store, sale, onClose }: OnSaleProps): JSX.Element {
  const [copy, setCopy] = useState<ReceiptCopy>('customer');
  const [text, setText] = useState<string>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    let current = true;
    setText(undefined);
    setFault(undefined);
    store.client.receipt(sale.reference, copy).then(
      (receipt) => current && setText(receipt),
      (error: unknown) => current && setFault((error as Error).message),
    );
    return () => {
      current = false;
    };
  }, [store, sale.reference, copy]);
  return (
    <Dialog title={t('receiptOf', { reference: sale.reference })} onClose={onClose}>
      <Choice
        label={t('copy')}
        options={COPIES.map((value) => ({ value, label: t(value) }))}
        value={copy}
        onChange={setCopy}
      />
      {fault !== undefined && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section class="paper print" tabIndex={0} aria-label={t('receipt')}>
        <pre>{text ?? ' '}</pre>
      </section>
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('back')}</Button>
        <Button kind="primary" icon="receipt" disabled={text === undefined} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </div>
    </Dialog>
  );
}
