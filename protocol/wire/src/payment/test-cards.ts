/** How the issuer simulator treats a test PAN. */
export type IssuerBehaviour =
  /** Checks what can be checked (ARQC, PIN, funds are endless) and approves. */
  | { readonly kind: 'approve' }
  /** Declines with an ISO 8583 response code, whatever else is right; the ARPC it answers is a true one. */
  | { readonly kind: 'decline'; readonly responseCode: string }
  /** Has half of the amount and approves that where a part is welcome; otherwise declines with 51. */
  | { readonly kind: 'approve-half' }
  /** Refers to a call (01), and approves with any approval code but 000000. */
  | { readonly kind: 'refer' }
  /** Approves, but the ARPC it answers is wrong: the card ends in AAC. */
  | { readonly kind: 'bad-arpc' };

/**
 * One test card as its issuer knows it. No PIN stands here: the issuer checks an online PIN against the PVV
 * (PVKI and PVV in the track's discretionary data, under the development PVK).
 */
export interface TestCard {
  /** Luhn-valid. */
  readonly pan: string;
  /** Key of the card scheme as the API spells it. */
  readonly brand: 'VISA' | 'MASTER' | 'MAESTRO';
  readonly behaviour: IssuerBehaviour;
}

const decline = (responseCode: string) => ({ kind: 'decline', responseCode }) as const;

/** Cards of a brand, which their issuer approves by default. */
function cardsOf<const B extends TestCard['brand']>(brand: B) {
  return (pan: string, behaviour: IssuerBehaviour = { kind: 'approve' }) => ({ pan, brand, behaviour });
}

const visa = cardsOf('VISA');
const mastercard = cardsOf('MASTER');
const maestro = cardsOf('MAESTRO');

/** The test PANs, one row each; the simulator's card catalogue and the issuer simulator both read this table. */
export const TEST_CARDS = {
  visaCredit: visa('4200000000000000'),
  visaContactless: visa('4200000000000018'),
  visaTapMagstripe: visa('4200000000000091'),
  visaOfflineDeclined: visa('4200000000000034'),
  visaBadArpc: visa('4200000000000067', { kind: 'bad-arpc' }),
  magstripeOnly: visa('4200000000000075'),
  chipBroken: visa('4200000000000083'),
  visaExpired: visa('4200000000000117', decline('54')),
  visaBlocked: visa('4200000000000125', decline('62')),
  visaPhone: visa('4200000000000232'),
  visaTapDeclined: visa('4200000000000141', decline('51')),
  visaPartial: visa('4200000000000133', { kind: 'approve-half' }),
  visaOnlineOnly: visa('4200000000000166'),
  visaSda: visa('4200000000000208'),
  visaDda: visa('4200000000000307'),
  visaForged: visa('4200000000000406'),
  mastercardCda: mastercard('5200000000002003'),
  visaReferral: visa('4200000000000158', { kind: 'refer' }),
  mastercardDebit: mastercard('5454545454545454'),
  mastercardDeclined: mastercard('5200000000001013', decline('51')),
  mastercardContactless: mastercard('5200000000001021'),
  maestroOffline: maestro('6799851000000032'),
  maestroDeclinedLater: maestro('6799851000000040', decline('51')),
} as const satisfies Readonly<Record<string, TestCard>>;

const BY_PAN: ReadonlyMap<string, TestCard> = new Map(
  Object.values(TEST_CARDS).map((card) => [card.pan, card]),
);

/** The test card with this PAN; undefined when the PAN is none of ours. */
export function findTestCard(pan: string): TestCard | undefined {
  return BY_PAN.get(pan);
}
