import { oneOf, text } from '../rows/format.js';
import { optional, required, under } from '../rows/parameter.js';

/** Longest wallet token taken; the specification gives no bound. */
const MAX_PAYMENT_TOKEN = 16_384;

const WALLET = [
  /** Encrypted-token variant. */
  required('paymentToken', text(1, MAX_PAYMENT_TOKEN), { sensitive: true }),
  /** Decrypted variant: the card and the proof stand in card.* and threeDSecure.*. */
  required('source', oneOf('web', 'app')),
] as const;

/** Spec 2.3: digital wallets. R rows belong to one variant each. */
export const WALLET_PARAMETERS = [
  ...under('walletA.', WALLET),
  optional('walletA.cardNetwork', text(1, 255)),
  optional('walletA.cardType', text(1, 255)),
  ...under('walletB.', WALLET),
  ...under('walletC.', WALLET),
] as const;
