import type { Money } from '@tillbridge/wire/payment/money.js';

/** What an authorization reports to the issuer of the cardholder's authentication (docs/three-d-secure.md). Memory only: the value is for one transaction. */
export interface AcquirerAuthentication {
  /** What was authenticated; the amount of the authorization where it has no amount of its own. */
  readonly amount: Money;
  readonly eci?: string;
  /** CAVV or AAV: 28 characters of base64. */
  readonly verificationId?: string;
  readonly dsTransactionId?: string;
  /** Version of 3D Secure. */
  readonly version?: string;
  /** Y, A, U, N or I. */
  readonly status?: string;
  /** Exemption from the challenge that is requested of the issuer: 01 low value, 02 risk analysis, 03 trusted beneficiary, 04 corporate. */
  readonly exemptionFlag?: string;
  readonly challengeIndicator?: string;
}
