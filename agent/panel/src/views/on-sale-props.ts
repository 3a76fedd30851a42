import type { Sale } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';

/** A dialog on one sale. */
export interface OnSaleProps {
  readonly store: LiveStore;
  readonly sale: Sale;
  readonly onClose: () => void;
}
