import {
  type AuthenticationBehaviour,
  findAuthenticationCourse,
} from '@tillbridge/wire/payment/authentication-test-cards.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { testFlowOf } from '@tillbridge/wire/three-d-secure/test-flow.js';

/** What the simulated issuer answers to an AReq. */
interface Decision {
  readonly transStatus: 'Y' | 'A' | 'N' | 'U' | 'C' | 'D' | 'I';
  /** With N and U. */
  readonly transStatusReason?: string;
  /** Challenge and decoupled: does the cardholder pass, once the right code is entered? */
  readonly passes?: boolean;
}

/** Reasons of table A.1, transStatusReason. */
const REASONS = { failed: '01', timedOut: '14', technicalIssue: '22', decoupledNeeded: '23' } as const;
/** Challenge wishes of 2.2.0 that ask for none and are granted: risk analysis, data only, done before, trusted beneficiary. */
const EXEMPTIONS: readonly string[] = ['05', '06', '07', '08'];
/** A challenge is mandated or wished for by the requestor. */
const CHALLENGE_REQUESTED: readonly string[] = ['03', '04', '09'];

/** The simulated issuer's decision on an AReq. Pure. */
export function decideAuthentication(areq: Message<'AReq'>): Decision {
  const behaviour = testFlowOf(areq) ?? findAuthenticationCourse(areq.acctNumber ?? '')?.behaviour;
  const wish = areq.threeDSRequestorChallengeInd ?? '';
  if (behaviour === 'frictionless') {
    if (EXEMPTIONS.includes(wish)) return { transStatus: 'I' };
    return CHALLENGE_REQUESTED.includes(wish) ? withCardholder(areq, true) : { transStatus: 'Y' };
  }
  switch (behaviour) {
    case 'challenge':
      return withCardholder(areq, true);
    case 'challenge-fails':
      return withCardholder(areq, false);
    default:
      return withoutCardholder(behaviour, areq);
  }
}

function withoutCardholder(behaviour: AuthenticationBehaviour | undefined, areq: Message<'AReq'>): Decision {
  if (behaviour === 'attempt') return { transStatus: 'A' };
  if (behaviour === 'refuse') return { transStatus: 'N', transStatusReason: REASONS.failed };
  return {
    transStatus: 'U',
    transStatusReason: areq.messageVersion === '2.1.0' ? REASONS.timedOut : REASONS.technicalIssue,
  };
}

/** A challenge in the browser or app; where there is neither, or the requestor wants it so, away from the purchase. */
function withCardholder(areq: Message<'AReq'>, passes: boolean): Decision {
  if (areq.messageVersion !== '2.1.0' && areq.threeDSRequestorDecReqInd === 'Y')
    return { transStatus: 'D', passes };
  if (areq.deviceChannel !== '03') return { transStatus: 'C', passes };
  return {
    transStatus: 'N',
    transStatusReason: areq.messageVersion === '2.1.0' ? REASONS.failed : REASONS.decoupledNeeded,
  };
}
