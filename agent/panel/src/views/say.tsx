import type { JSX } from 'preact';
import { t } from '../texts/texts.js';

/** The words for the customer. */
export function Say({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="say">
      <span class="say-who">{t('sayToCustomer')}</span>
      <q>{text}</q>
    </p>
  );
}
