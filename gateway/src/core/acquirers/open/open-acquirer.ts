import type {
  Acquirer,
  AcquirerRecord,
  BalanceInquiries,
  ChargebackFeed,
  ChargebackSimulator,
  TransactionRecord,
} from '../acquirer.js';
import { InternalAcquirer, type InternalAcquirerOptions } from '../internal/internal-acquirer.js';
import { UnconfiguredAcquirer } from '../unconfigured/unconfigured-acquirer.js';

/** The way to the card schemes, and what ends it. */
interface OpenAcquirer {
  readonly acquirer: Acquirer;
  /** The simulator's own record; test mode only. */
  readonly record?: TransactionRecord & AcquirerRecord & { readonly name: string };
  /** Chargebacks; absent where the acquirer reports none. */
  readonly chargebacks?: ChargebackFeed;
  /** Reads the balance of gift cards; absent where no issuer of them is connected. */
  readonly balances?: BalanceInquiries;
  /** Makes chargebacks happen; test mode only. */
  readonly simulator?: ChargebackSimulator;
  close(): Promise<void>;
}

/**
 * Opens the acquirer of what no route takes: the simulator in test mode, in live mode the one that refuses everything.
 * @param internal what the simulator is made with; not called in live mode, where none of its files may be there
 * @throws SecretFileError, StoreUnavailableError
 */
export async function openAcquirer(
  mode: 'test' | 'live',
  internal: () => InternalAcquirerOptions,
): Promise<OpenAcquirer> {
  if (mode === 'live') return { acquirer: new UnconfiguredAcquirer(), close: async () => undefined };
  const acquirer = await InternalAcquirer.open(internal());
  return {
    acquirer,
    record: acquirer,
    chargebacks: acquirer,
    balances: acquirer,
    simulator: acquirer,
    close: () => acquirer.close(),
  };
}
