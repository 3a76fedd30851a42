import type { AccountDataFault } from '../../../security/devices/admit-device.js';

/** Result and response code of account data that is not taken, whatever is wrong with it. */
export const ACCOUNT_DATA_REFUSED = { resultCode: '800.100.156', responseCode: '30' } as const;

/** Account data that is not taken. The fault is for the log: who sent the data gets {@link ACCOUNT_DATA_REFUSED}. */
export class AccountDataError extends Error {
  override readonly name = 'AccountDataError';
  readonly fault: AccountDataFault;
  /** The sender's own device; absent where it is unknown or another's. */
  readonly serial: string | undefined;

  constructor(fault: AccountDataFault, serial?: string, detail?: string) {
    super([fault, serial, detail].filter(Boolean).join(': '));
    this.fault = fault;
    this.serial = serial;
  }
}
