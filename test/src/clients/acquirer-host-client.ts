import type { HostKeys } from '@tillbridge/hardware-sim/hosts/acquirer/keys/host-keys.js';
import type { HostFault } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import type {
  CardRow,
  ReversalRow,
  TransactionRow,
} from '@tillbridge/hardware-sim/hosts/acquirer/rows/tables.js';
import type { ZoneKeyUse } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import { call, json } from './http.js';

/** A fault as a test sets it. */
export type WantedFault = Pick<HostFault, 'name'> & Partial<HostFault>;

/** The REST control of an acquirer's host: its ledger, and what goes wrong with its messages. */
export class AcquirerHostClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  transactions(): Promise<readonly TransactionRow[]> {
    return this.#get('/transactions');
  }

  reversals(): Promise<readonly ReversalRow[]> {
    return this.#get('/reversals');
  }

  cards(): Promise<readonly CardRow[]> {
    return this.#get('/cards');
  }

  /** The settlement day, and how many messages were none. */
  status(): Promise<{ readonly day: string; readonly badMessages: number }> {
    return this.#get('/status');
  }

  /** Check values of its zone keys. */
  keys(): Promise<ReturnType<HostKeys['checkValues']>> {
    return this.#get('/keys');
  }

  /** Sends a gateway that has signed on a new key; rejects where none takes it. */
  async sendKey(use: ZoneKeyUse): Promise<void> {
    const { status } = await call('POST', `${this.#url}/key-exchange`, json({ use }));
    if (status !== 200) throw new Error(`the host sent a key, and the control answered ${status}`);
  }

  /** Faults that have not struck yet. */
  faults(): Promise<readonly HostFault[]> {
    return this.#get('/faults');
  }

  /** Sets the faults, in place of those that wait. */
  async strike(faults: readonly WantedFault[]): Promise<void> {
    await call('PUT', `${this.#url}/faults`, json(faults));
  }

  /** Closes the settlement day. */
  async cutOver(): Promise<void> {
    await call('POST', `${this.#url}/cut-over`);
  }

  async #get<T>(path: string): Promise<T> {
    return (await call<T>('GET', `${this.#url}${path}`)).body;
  }
}
