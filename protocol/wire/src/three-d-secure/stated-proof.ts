/** What a merchant states of an authentication by another 3D Secure server (gateway/docs/three-d-secure.md). */
interface StatedProof {
  /** Two digits, 01 to 08. */
  readonly eci?: string;
  /** `authenticationStatus`: Y, A, U or N. */
  readonly status?: string;
  /** CAVV or AAV. */
  readonly verificationId?: string;
}

/** Why the parts of a statement cannot all be true. */
interface ProofFault {
  readonly resultCode: '100.390.109' | '100.390.117';
  /** The parameter at fault, without `threeDSecure.`. */
  readonly parameter: 'eci' | 'authenticationStatus' | 'verificationId';
  /** What the parameter must be. */
  readonly must: string;
}

/**
 * The status that an ECI stands for, by scheme (the schemes' 3D Secure guides). Y and A come with a value; U: the cardholder was not
 * authenticated. 00 of Mastercard is outside the range that merchants may send (01-08).
 */
const STATUS_BY_ECI = {
  mastercard: { '02': 'Y', '01': 'A', '04': 'U', '06': 'U', '07': 'U' },
  others: { '05': 'Y', '06': 'A', '07': 'U' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Brands with the ECI of Mastercard. */
const OF_MASTERCARD: ReadonlySet<string> = new Set(['MASTER', 'MAESTRO']);

/**
 * The first contradiction between eci, status, value and brand; undefined where they agree. One part alone contradicts nothing, but for the status
 * N: a cardholder who was refused pays nothing. Pure.
 * @param brands of the card: as it was sent, and as it was detected; empty where neither is there
 */
export function proofFault(
  { eci, status, verificationId }: StatedProof,
  brands: readonly string[],
): ProofFault | undefined {
  if (status === 'N')
    return {
      resultCode: '100.390.109',
      parameter: 'authenticationStatus',
      must: 'not be N: the cardholder was not authenticated',
    };
  if ([eci, status, verificationId].filter((part) => part !== undefined).length < 2) return undefined;
  if (eci === undefined)
    return status === 'U'
      ? disagrees('verificationId', 'not be sent with authenticationStatus U')
      : undefined;
  const stands = statusOf(eci, brands);
  if (stands === undefined) return disagrees('eci', `be ${namesOf(brands)}`);
  if (status !== undefined && status !== stands)
    return disagrees('authenticationStatus', `be ${stands} with eci ${eci}`);
  const proves = stands !== 'U';
  if (proves && verificationId === undefined)
    return disagrees('verificationId', `be sent with eci ${eci} and authenticationStatus ${stands}`);
  return !proves && verificationId !== undefined
    ? disagrees(
        'verificationId',
        `not be sent with eci ${eci}: it states that the cardholder was not authenticated`,
      )
    : undefined;
}

/** Whether a statement without a contradiction proves an authentication: an ECI and a value. The ECI alone is no proof. Pure. */
export function isProof({ eci, verificationId }: StatedProof): boolean {
  return eci !== undefined && verificationId !== undefined;
}

/** Whether an ECI means that the cardholder was not authenticated. Pure. */
export function isUnauthenticated(eci: string, brands: readonly string[]): boolean {
  return statusOf(eci, brands) === 'U';
}

function tablesOf(brands: readonly string[]): readonly Readonly<Record<string, string>>[] {
  if (brands.length === 0) return Object.values(STATUS_BY_ECI);
  return brands.map((brand) => STATUS_BY_ECI[OF_MASTERCARD.has(brand) ? 'mastercard' : 'others']);
}

function statusOf(eci: string, brands: readonly string[]): string | undefined {
  return tablesOf(brands)
    .map((table) => table[eci])
    .find((status) => status !== undefined);
}

/** The ECI that the brands have, for an error. */
function namesOf(brands: readonly string[]): string {
  const known = [...new Set(tablesOf(brands).flatMap((table) => Object.keys(table)))].sort();
  return `one of ${known.join(', ')}${brands.length > 0 ? ` for ${[...new Set(brands)].join(' and ')}` : ''}`;
}

function disagrees(parameter: ProofFault['parameter'], must: string): ProofFault {
  return { resultCode: '100.390.117', parameter, must };
}
