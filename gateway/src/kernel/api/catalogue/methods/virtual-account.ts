import { text } from '../rows/format.js';
import { required } from '../rows/parameter.js';

/** Spec 2.3: virtualAccount.*. */
export const VIRTUAL_ACCOUNT_PARAMETERS = [
  required('virtualAccount.accountId', text(1, 100), { echoed: true }),
] as const;
