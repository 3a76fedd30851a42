import { type HintOf, specByCode } from '../code-table.js';

/** The result codes of tag DFEE25 (EMV result codes of the maker's published SDK headers and test logs). */
export const RESULTS = {
  approvedOffline: { code: 0x0000, meaning: 'approved offline', hint: 'approved-offline' },
  declinedOffline: { code: 0x0001, meaning: 'declined offline', hint: 'declined-offline' },
  approved: { code: 0x0002, meaning: 'approved', hint: 'approved' },
  declined: { code: 0x0003, meaning: 'declined', hint: 'declined' },
  goOnline: { code: 0x0004, meaning: 'go online', hint: 'go-online' },
  notAccepted: { code: 0x0006, meaning: 'not accepted', hint: 'card-error' },
  fallbackSwiped: {
    code: 0x0007,
    meaning: 'swiped after a chip that could not be read',
    hint: 'fallback-swiped',
  },
  timeout: { code: 0x0008, meaning: 'timeout', hint: 'timed-out' },
  started: { code: 0x0010, meaning: 'chip read', hint: 'started' },
  swiped: { code: 0x0011, meaning: 'card without a chip swiped', hint: 'swiped' },
  cancelled: { code: 0x0012, meaning: 'transaction cancelled', hint: 'cancelled' },
  declinedAlone: { code: 0x0203, meaning: 'declined, the host was not reached', hint: 'declined' },
  cardAbsent: { code: 0x3005, meaning: 'no card in the slot', hint: 'card-removed' },
  cardTimeout: { code: 0x3006, meaning: 'the chip did not answer in time', hint: 'card-error' },
  magstripeError: { code: 0x3007, meaning: 'the magstripe could not be read', hint: 'card-error' },
  noCardInTime: { code: 0x3013, meaning: 'no card in time', hint: 'timed-out' },
  noMatchingApplication: { code: 0x5005, meaning: 'no matching application', hint: 'no-application' },
  dataMissing: { code: 0x5006, meaning: 'a mandatory object is missing', hint: 'card-error' },
  cardRejected: { code: 0x5009, meaning: 'card rejected', hint: 'card-error' },
  cardBlocked: { code: 0x5023, meaning: 'card blocked', hint: 'card-blocked' },
  cardCommunication: { code: 0x5025, meaning: 'communication with the card failed', hint: 'card-removed' },
  applicationNotSupported: { code: 0x5032, meaning: 'application not supported', hint: 'no-application' },
} as const;

/** Name of a result code. */
export type ResultName = keyof typeof RESULTS;

/** How a step of a contact or magstripe transaction ended. */
export type ResultKind = HintOf<typeof RESULTS> | 'device-error';

/** What a result code means; one that is not in the table is a fault of the device. */
export const resultOf = specByCode(RESULTS, { meaning: 'unknown result', hint: 'device-error' });
