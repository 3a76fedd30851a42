import { entryByCode } from '../code-table.js';

/** A result code. */
export interface ResultSpec {
  /** Two bytes of tag DFEE25. */
  readonly code: number;
  readonly meaning: string;
  readonly kind: ResultKind;
}

/** The result codes of tag DFEE25 (EMV result codes of the maker's published SDK headers and test logs). */
export const RESULTS = {
  approvedOffline: { code: 0x0000, meaning: 'approved offline', kind: 'approved-offline' },
  declinedOffline: { code: 0x0001, meaning: 'declined offline', kind: 'declined-offline' },
  approved: { code: 0x0002, meaning: 'approved', kind: 'approved' },
  declined: { code: 0x0003, meaning: 'declined', kind: 'declined' },
  goOnline: { code: 0x0004, meaning: 'go online', kind: 'go-online' },
  notAccepted: { code: 0x0006, meaning: 'not accepted', kind: 'card-error' },
  fallbackSwiped: {
    code: 0x0007,
    meaning: 'swiped after a chip that could not be read',
    kind: 'fallback-swiped',
  },
  timeout: { code: 0x0008, meaning: 'timeout', kind: 'timed-out' },
  started: { code: 0x0010, meaning: 'chip read', kind: 'started' },
  swiped: { code: 0x0011, meaning: 'card without a chip swiped', kind: 'swiped' },
  cancelled: { code: 0x0012, meaning: 'transaction cancelled', kind: 'cancelled' },
  declinedAlone: { code: 0x0203, meaning: 'declined, the host was not reached', kind: 'declined' },
  cardAbsent: { code: 0x3005, meaning: 'no card in the slot', kind: 'card-removed' },
  cardTimeout: { code: 0x3006, meaning: 'the chip did not answer in time', kind: 'card-error' },
  magstripeError: { code: 0x3007, meaning: 'the magstripe could not be read', kind: 'card-error' },
  noCardInTime: { code: 0x3013, meaning: 'no card in time', kind: 'timed-out' },
  noMatchingApplication: { code: 0x5005, meaning: 'no matching application', kind: 'no-application' },
  dataMissing: { code: 0x5006, meaning: 'a mandatory object is missing', kind: 'card-error' },
  cardRejected: { code: 0x5009, meaning: 'card rejected', kind: 'card-error' },
  cardBlocked: { code: 0x5023, meaning: 'card blocked', kind: 'card-blocked' },
  cardCommunication: { code: 0x5025, meaning: 'communication with the card failed', kind: 'card-removed' },
  applicationNotSupported: { code: 0x5032, meaning: 'application not supported', kind: 'no-application' },
} as const;

/** Name of a result code. */
export type ResultName = keyof typeof RESULTS;

/** How a step of a contact or magstripe transaction ended. */
export type ResultKind = (typeof RESULTS)[ResultName]['kind'] | 'device-error';

const find = entryByCode<ResultSpec>(RESULTS, ({ code }) => code);

/** What a result code means; one that is not in the table is a fault of the device. */
export function resultOf(code: number): ResultSpec {
  return find(code) ?? { code, meaning: 'unknown result', kind: 'device-error' };
}
