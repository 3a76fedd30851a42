/** Parameters of a request as they were sent and checked, by name. */
export type Sent = Readonly<Record<string, string>>;

/** Parameters that the authentication of a cardholder is made of; the rest of a request is not kept for it. */
const NEEDED =
  /^(threeDSecure\.|customer\.|billing\.|shipping\.|merchant\.|standingInstruction\.|risk\.amount$|customParameters\[3DS2_(enrolled|flow)\]$|paymentBrand$|shopperResultUrl$)/;

/** The parameters that are needed. */
export function neededOf(values: ReadonlyMap<string, string>): Sent {
  return Object.fromEntries([...values].filter(([name]) => NEEDED.test(name)));
}

/** The merchant authenticates without the cardholder (3RI). */
export function isRequestorInitiated(sent: Sent): boolean {
  return sent['threeDSecure.threeRIInd'] !== undefined || Number(sent['threeDSecure.channel'] ?? '0') === 3;
}

/** The purchase is made in an app. */
export function isAppBased(sent: Sent): boolean {
  return sent['threeDSecure.deviceInfo'] !== undefined;
}
