import { encodePairs } from './pairs.js';

/** Why a request came to nothing (nexo Retailer 3.0, ErrorCondition). */
export type ErrorCondition =
  | 'Aborted'
  | 'Busy'
  | 'Cancel'
  | 'DeviceOut'
  | 'InProgress'
  | 'InsertedCard'
  | 'InvalidCard'
  | 'LoggedOut'
  | 'MessageFormat'
  | 'NotAllowed'
  | 'NotFound'
  | 'PaymentRestriction'
  | 'Refusal'
  | 'UnavailableDevice'
  | 'UnavailableService'
  | 'UnreachableHost'
  | 'WrongPIN';

/** How a request ended. */
export interface NexoResponse {
  readonly Result: 'Success' | 'Partial' | 'Failure';
  readonly ErrorCondition?: ErrorCondition;
  /** Percent-encoded pairs. */
  readonly AdditionalResponse?: string;
}

/** Additional data of a result; members without a value are left out. */
type AdditionalPairs = Readonly<Record<string, string | undefined>>;

/** A request that was done. */
export function success(
  pairs: AdditionalPairs = {},
  result: 'Success' | 'Partial' = 'Success',
): NexoResponse {
  return { Result: result, ...additional(pairs) };
}

/** A request that came to nothing; `message` is meant for a person. */
export function failure(
  condition: ErrorCondition,
  message: string,
  pairs: AdditionalPairs = {},
): NexoResponse {
  return { Result: 'Failure', ErrorCondition: condition, ...additional({ message, ...pairs }) };
}

function additional(pairs: AdditionalPairs): Pick<NexoResponse, 'AdditionalResponse'> {
  const text = encodePairs(pairs);
  return text === '' ? {} : { AdditionalResponse: text };
}
