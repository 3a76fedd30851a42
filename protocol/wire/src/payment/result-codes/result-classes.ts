import type { RESULT_CODE_TABLE } from './result-code-table.js';

/**
 * The published classification of result codes (gateway/docs/result-codes.md): merchants copy these patterns into their code, so a code that
 * we answer must fall where they look for it.
 */
const PATTERNS = {
  success: /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/,
  'success-review': /^(000\.400\.0[^3]|000\.400\.100)/,
  'pending-short': /^(000\.200)/,
  'pending-long': /^(800\.400\.5|100\.400\.500)/,
  'rejected-3ds-intercard-risk': /^(000\.400\.[1][0-9][1-9]|000\.400\.2)/,
  'rejected-bank': /^(800\.[17]00|800\.800\.[123])/,
  'rejected-communication': /^(900\.[1234]00|000\.400\.030)/,
  'rejected-system': /^(800\.[56]|999\.|600\.1|800\.800\.[84])/,
  'rejected-asynchronous': /^(100\.39[765])/,
  'soft-decline': /^(300\.100\.100)/,
  'rejected-external-risk': /^(100\.400\.[0-3]|100\.380\.100|100\.380\.11|100\.380\.4|100\.380\.5)/,
  'rejected-address': /^(800\.400\.1)/,
  'rejected-3ds': /^(800\.400\.2|100\.390)/,
  'rejected-block-list': /^(800\.[32])/,
  'rejected-risk-validation': /^(800\.1[123456]0)/,
  'rejected-configuration': /^(600\.[23]|500\.[12]|800\.121)/,
  'rejected-registration': /^(100\.[13]50)/,
  'rejected-job': /^(100\.250|100\.360)/,
  'rejected-reference': /^(700\.[1345][05]0)/,
  'rejected-scheme-advice': /^(700\.600|700\.601)/,
  'rejected-format': /^(200\.[123]|100\.[53][07]|800\.900|100\.[69]00\.500)/,
  'rejected-address-validation': /^(100\.800)/,
  'rejected-contact-validation': /^(100\.700|100\.900\.[123467890][00-99])/,
  'rejected-account-validation': /^(100\.100|100.2[01])/,
  'rejected-amount-validation': /^(100\.55)/,
  'rejected-risk-management': /^(100\.380\.[23]|100\.380\.101)/,
  chargeback: /^(000\.100\.2)/,
} as const satisfies Readonly<Record<string, RegExp>>;

/** Group of the published classification. */
export type ResultGroup = keyof typeof PATTERNS;

/** Groups by name with their patterns, in the order of publication. */
export const RESULT_GROUPS = Object.entries(PATTERNS) as readonly (readonly [ResultGroup, RegExp])[];

/** A word for people next to the code, in logs and tools; never in an answer of the API. */
export type Outcome =
  | 'approved'
  | 'approved-review'
  | 'pending'
  | 'declined'
  | 'refused'
  | 'failed'
  | 'chargeback';

/** Approved though no published pattern covers them. */
const APPROVED_OUTSIDE: ReadonlySet<string> = new Set<keyof typeof RESULT_CODE_TABLE>([
  '000.500.000',
  '000.500.100',
]);

const DECLINED: readonly ResultGroup[] = [
  'rejected-3ds-intercard-risk',
  'rejected-bank',
  'rejected-asynchronous',
  'soft-decline',
  'rejected-external-risk',
  'rejected-address',
  'rejected-3ds',
  'rejected-block-list',
  'rejected-risk-validation',
  'rejected-scheme-advice',
  'rejected-risk-management',
];
const FAILED: readonly ResultGroup[] = ['rejected-communication', 'rejected-system'];

/** The group that a code belongs to; undefined when no pattern covers it. */
export function resultGroup(code: string): ResultGroup | undefined {
  return RESULT_GROUPS.find(([, pattern]) => pattern.test(code))?.[0];
}

/**
 * What a code means in one word: `declined` by a party that judged the payment, `refused` for what the request contains or where it
 * points, `failed` for a fault on the way.
 */
export function outcomeOf(code: string): Outcome {
  const group = resultGroup(code);
  if (group === 'success' || APPROVED_OUTSIDE.has(code)) return 'approved';
  if (group === 'success-review') return 'approved-review';
  if (group === 'pending-short' || group === 'pending-long') return 'pending';
  if (group === 'chargeback') return 'chargeback';
  if (group !== undefined && FAILED.includes(group)) return 'failed';
  if (group !== undefined && DECLINED.includes(group)) return 'declined';
  return 'refused';
}

/** Is the money (or its reservation) there, reviewed by hand or not? */
export function isSuccess(code: string): boolean {
  const group = resultGroup(code);
  return group === 'success' || group === 'success-review';
}

/** Is the end still open? */
export function isPending(code: string): boolean {
  const group = resultGroup(code);
  return group === 'pending-short' || group === 'pending-long';
}
