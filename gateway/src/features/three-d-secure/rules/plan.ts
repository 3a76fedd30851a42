import { type CardRange, findCardRange } from '@tillbridge/wire/three-d-secure/messages/card-range.js';
import { MESSAGE_VERSIONS, type MessageVersion } from '@tillbridge/wire/three-d-secure/messages/field.js';
import type { Sent } from '../../../core/payments/three-d-secure/sent.js';
import { isAppBased, isRequestorInitiated } from '../../../core/payments/three-d-secure/sent.js';

/** Who takes part, by the last answer of the directory server. */
export interface Directory {
  readonly ranges: readonly CardRange[];
  readonly startVersion: string;
  readonly endVersion: string;
}

/** How a cardholder will be authenticated. JSON: it is kept while a payment waits. */
export interface Plan {
  /** `threeDSServerTransID`. */
  readonly transId: string;
  readonly version: MessageVersion;
  /** `01` app, `02` browser, `03` 3DS Requestor Initiated. */
  readonly channel: '01' | '02' | '03';
  /** `01` payment, `02` non-payment. */
  readonly category: '01' | '02';
  /** Where the browser calls first; absent where there is no method URL, or no browser. */
  readonly methodUrl?: string;
  /** `threeDSRequestorChallengeInd`. */
  readonly challengeInd?: string;
  /** The exemption that the request claims, for both messages. */
  readonly exemptionFlag?: string;
  /** The cardholder may be authenticated away from the purchase. */
  readonly decoupled?: true;
}

/** A plan, or the result code of why there is none. */
type PlanVerdict =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'refuse'; readonly resultCode: string };

const CODES = {
  /** The card stands in no range, and in none of those that take no part. */
  notEnrolled: '000.400.109',
  notTakingPart: '000.400.101',
  unsupportedVersion: '000.400.113',
  /** Requests of the requestor, and of that alone. */
  requestorInitiated: '000.400.112',
} as const;

/** What `exemptionFlag` requests of the issuer where no `challengeIndicator` does: 01 low value, 02 risk analysis, 03 trusted, 04 corporate. */
const CHALLENGE_INDS: Readonly<Record<string, string>> = { '01': '02', '02': '05', '03': '08', '04': '02' };
/** Highest challenge indicator of version 2.1.0. */
const HIGHEST_OF_2_1 = '04';

/** What decides on a plan. */
interface PlanFacts {
  readonly transId: string;
  readonly pan: string;
  readonly sent: Sent;
  readonly directory: Directory;
  /** Card numbers that are known not to take part (test mode). */
  readonly isOutside: (pan: string) => boolean;
  /** A test requires that the card takes part, whatever it is. */
  readonly enrolledByTest: boolean;
}

/** How the cardholder of a card is authenticated. Pure. */
export function planOf({ transId, pan, sent, directory, ...test }: PlanFacts): PlanVerdict {
  const range = findCardRange(directory.ranges, pan) ?? (test.enrolledByTest ? ANY_CARD : undefined);
  if (!range) return refuse(test.isOutside(pan) ? CODES.notTakingPart : CODES.notEnrolled);
  const version = highestVersion(range, directory, sent['threeDSecure.version']);
  if (version === undefined) return refuse(CODES.unsupportedVersion);
  const channel = isRequestorInitiated(sent) ? '03' : isAppBased(sent) ? '01' : '02';
  const isNew = version !== MESSAGE_VERSIONS[0];
  const isShipment = /SHIPMENT$/.test(sent['threeDSecure.threeRIInd'] ?? '');
  if (channel === '03' && isShipment && !isNew) return refuse(CODES.requestorInitiated);
  const methodUrl = channel === '02' ? range.threeDSMethodURL : undefined;
  const exemptionFlag = isNew ? sent['threeDSecure.exemptionFlag'] : undefined;
  const challengeInd = challengeIndOf(sent, exemptionFlag, isNew);
  return {
    kind: 'plan',
    plan: {
      transId,
      version,
      channel,
      category: sent['threeDSecure.npa'] === 'true' ? '02' : '01',
      ...(methodUrl !== undefined && { methodUrl }),
      ...(challengeInd !== undefined && { challengeInd }),
      ...(exemptionFlag !== undefined && { exemptionFlag }),
      ...(isNew && sent['threeDSecure.decoupled'] === 'true' && { decoupled: true }),
    },
  };
}

const ANY_CARD: Pick<CardRange, 'acsStartProtocolVersion' | 'acsEndProtocolVersion' | 'threeDSMethodURL'> = {
  acsStartProtocolVersion: MESSAGE_VERSIONS[0],
  acsEndProtocolVersion: MESSAGE_VERSIONS[1],
};

/** The highest version that all three speak, and the request allows (`threeDSecure.version`). */
function highestVersion(
  range: Pick<CardRange, 'acsStartProtocolVersion' | 'acsEndProtocolVersion'>,
  directory: Directory,
  atMost: string | undefined,
): MessageVersion | undefined {
  return MESSAGE_VERSIONS.findLast(
    (version) =>
      version >= range.acsStartProtocolVersion &&
      version <= range.acsEndProtocolVersion &&
      version >= directory.startVersion &&
      version <= directory.endVersion &&
      (atMost === undefined || version <= atMost),
  );
}

/** Challenge preferences of 2.2.0 are not sent in 2.1.0. */
function challengeIndOf(sent: Sent, exemptionFlag: string | undefined, isNew: boolean): string | undefined {
  const named = sent['threeDSecure.challengeIndicator']?.padStart(2, '0');
  const wished = named ?? (exemptionFlag === undefined ? undefined : CHALLENGE_INDS[exemptionFlag]);
  return wished !== undefined && (isNew || wished <= HIGHEST_OF_2_1) ? wished : undefined;
}

function refuse(resultCode: string): PlanVerdict {
  return { kind: 'refuse', resultCode };
}
