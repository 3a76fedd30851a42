import { codeTable, type HintOf, specByCode } from '../code-table.js';

/** The result codes of tag DFEE25 (EMV result codes of the maker's published SDK headers and test logs). */
export const RESULTS = codeTable({
  approvedOffline: [0x0000, 'approved-offline', 'approved offline'],
  declinedOffline: [0x0001, 'declined-offline', 'declined offline'],
  approved: [0x0002, 'approved', 'approved'],
  declined: [0x0003, 'declined', 'declined'],
  goOnline: [0x0004, 'go-online', 'go online'],
  notAccepted: [0x0006, 'card-error', 'not accepted'],
  fallbackSwiped: [0x0007, 'fallback-swiped', 'swiped after a chip that could not be read'],
  timeout: [0x0008, 'timed-out', 'timeout'],
  started: [0x0010, 'started', 'chip read'],
  swiped: [0x0011, 'swiped', 'card without a chip swiped'],
  cancelled: [0x0012, 'cancelled', 'transaction cancelled'],
  declinedAlone: [0x0203, 'declined', 'declined, the host was not reached'],
  cardAbsent: [0x3005, 'card-removed', 'no card in the slot'],
  cardTimeout: [0x3006, 'card-error', 'the chip did not answer in time'],
  magstripeError: [0x3007, 'card-error', 'the magstripe could not be read'],
  noCardInTime: [0x3013, 'timed-out', 'no card in time'],
  noMatchingApplication: [0x5005, 'no-application', 'no matching application'],
  dataMissing: [0x5006, 'card-error', 'a mandatory object is missing'],
  cardRejected: [0x5009, 'card-error', 'card rejected'],
  cardBlocked: [0x5023, 'card-blocked', 'card blocked'],
  cardCommunication: [0x5025, 'card-removed', 'communication with the card failed'],
  applicationNotSupported: [0x5032, 'no-application', 'application not supported'],
});

/** Name of a result code. */
export type ResultName = keyof typeof RESULTS;

/** How a step of a contact or magstripe transaction ended. */
export type ResultKind = HintOf<typeof RESULTS> | 'device-error';

/** What a result code means; one that is not in the table is a fault of the device. */
export const resultOf = specByCode(RESULTS, { meaning: 'unknown result', hint: 'device-error' });
