import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { Alerts } from '../../../kernel/alerts/alerts.js';
import type { Owner } from '../../../kernel/nodes/node-lease.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Change, Store } from '../../../kernel/store/store.js';
import type { DeviceKeySets } from '../../../security/keys/device-key-sets.js';
import type { SecurityModule } from '../../../security/module/security-module.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import type { ShopperPages } from '../../../security/tokens/shopper-addresses.js';
import type { RowSeal } from '../../../security/vault/row-seal.js';
import type { Vault } from '../../../security/vault/vault.js';
import type { WaitSeal } from '../../../security/vault/wait-seal.js';
import type { WalletTokens } from '../../../security/wallets/wallet-tokens.js';
import type { ChargebackSimulator } from '../../acquirers/acquirer.js';
import type { Gate } from '../gates/gate.js';
import type { Acquirers } from '../lookup/acquirer-route.js';
import type { BeginContext } from '../ownership/begin-in-time.js';
import type { CardTryLimits } from '../policy/card-tries.js';
import type { WindowLimits } from '../policy/offline-window.js';

/** Makes the changes by which the commit of a payment reports it to its merchant. */
export interface PaymentEvents {
  /** What is needed for payments of the entity, read before the commit. One without an outcome has events because a person reviews it. @throws StoreUnavailableError */
  of(entityId: string): Promise<(payment: PaymentRow, nowMs: number) => readonly Change[]>;
}

/** What the service works with. */
export interface PaymentContext extends Acquirers, BeginContext {
  readonly store: Store;
  /** This node among those on the database; absent: there is no other one. */
  readonly node?: Owner;
  readonly security: SecurityModule;
  /** Key sets of account data, as they are now. */
  readonly deviceKeySets: () => DeviceKeySets;
  readonly vault: Vault;
  /** Of what payments that wait need later. */
  readonly waitSeal: WaitSeal;
  /** Of stored payment details. */
  readonly registrationSeal: RowSeal;
  /** Gates that a merchant's payment passes before the acquirer's authorization, in this order. */
  readonly gates?: readonly Gate[];
  /** When windows of offline records may end; absent: as in every gateway. */
  readonly windowLimits?: WindowLimits;
  /** How many pairs of expiry and card verification value a card may be tried with; absent: any. */
  readonly cardTries?: CardTryLimits;
  /** The acquirer of bank transfers, which receives the money; absent: it has none. */
  readonly transfers?: Pick<ChargebackSimulator, 'receive'>;
  /** Our pages for the shopper of a payment; absent or undefined where the gateway has no public address. */
  readonly shopperPages?: (paymentId: string) => ShopperPages | undefined;
  /** Opens the tokens of digital wallets. */
  readonly wallets: WalletTokens;
  /** Of cards, of what messages say, and of what they become. */
  readonly fingerprint: Fingerprint;
  /** `live`: card numbers that are published for tests are refused. Absent: test. */
  readonly mode?: 'test' | 'live';
  readonly clock: Clock;
  readonly random: Random;
  readonly alerts: Pick<Alerts, 'raise'>;
  readonly events: PaymentEvents;
  /** Called with faults that no caller sees; the error holds no card data. */
  readonly onFault: (what: string, error: unknown) => void;
}

/** The service's limits. */
export const PAYMENT_LIMITS = {
  /** How often it looks whether another node has finished with the original, in milliseconds. */
  otherNodeMs: 100,
  /** How long a status request waits for the acquirer, in milliseconds. */
  lookUpWaitMs: 2_000,
} as const;
