import type { PaymentRow, RegistrationRow, WaitRow } from '../../../kernel/store/rows.js';

/** What a browser posted to a checkout last, as it stands now. */
export interface PostedBefore {
  /** Of a registration `done`: it is there or it is not. */
  readonly state: PaymentRow['state'] | 'done';
  /** What its payment waits for; undefined where it does not wait. */
  readonly wait?: WaitRow['kind'] | undefined;
  readonly payment?: PaymentRow;
  readonly registration?: RegistrationRow;
}

/** Whether what was posted has an outcome with which the checkout ends. */
export function isFinal(before: PostedBefore | undefined): boolean {
  return before !== undefined && before.state !== 'declined' && before.state !== 'pending';
}
