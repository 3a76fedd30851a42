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

const approve: IssuerBehaviour = { kind: 'approve' };
const decline = (responseCode: string) => ({ kind: 'decline', responseCode }) as const;

/** The test PANs, one row each; the simulator's card catalogue and the issuer simulator both read this table. */
export const TEST_CARDS = {
  visaCredit: { pan: '4200000000000000', brand: 'VISA', behaviour: approve },
  visaContactless: { pan: '4200000000000018', brand: 'VISA', behaviour: approve },
  visaTapMagstripe: { pan: '4200000000000091', brand: 'VISA', behaviour: approve },
  visaOfflineDeclined: { pan: '4200000000000034', brand: 'VISA', behaviour: approve },
  visaBadArpc: { pan: '4200000000000067', brand: 'VISA', behaviour: { kind: 'bad-arpc' } },
  magstripeOnly: { pan: '4200000000000075', brand: 'VISA', behaviour: approve },
  chipBroken: { pan: '4200000000000083', brand: 'VISA', behaviour: approve },
  visaExpired: { pan: '4200000000000117', brand: 'VISA', behaviour: decline('54') },
  visaBlocked: { pan: '4200000000000125', brand: 'VISA', behaviour: decline('62') },
  visaPhone: { pan: '4200000000000232', brand: 'VISA', behaviour: approve },
  visaTapDeclined: { pan: '4200000000000141', brand: 'VISA', behaviour: decline('51') },
  visaPartial: { pan: '4200000000000133', brand: 'VISA', behaviour: { kind: 'approve-half' } },
  visaOnlineOnly: { pan: '4200000000000166', brand: 'VISA', behaviour: approve },
  visaSda: { pan: '4200000000000208', brand: 'VISA', behaviour: approve },
  visaDda: { pan: '4200000000000307', brand: 'VISA', behaviour: approve },
  visaForged: { pan: '4200000000000406', brand: 'VISA', behaviour: approve },
  mastercardCda: { pan: '5200000000002003', brand: 'MASTER', behaviour: approve },
  visaReferral: { pan: '4200000000000158', brand: 'VISA', behaviour: { kind: 'refer' } },
  mastercardDebit: { pan: '5454545454545454', brand: 'MASTER', behaviour: approve },
  mastercardDeclined: { pan: '5200000000001013', brand: 'MASTER', behaviour: decline('51') },
  mastercardContactless: { pan: '5200000000001021', brand: 'MASTER', behaviour: approve },
  maestroOffline: { pan: '6799851000000032', brand: 'MAESTRO', behaviour: approve },
  maestroDeclinedLater: { pan: '6799851000000040', brand: 'MAESTRO', behaviour: decline('51') },
} as const satisfies Readonly<Record<string, TestCard>>;

const BY_PAN: ReadonlyMap<string, TestCard> = new Map(
  Object.values(TEST_CARDS).map((card) => [card.pan, card]),
);

/** The test card with this PAN; undefined when the PAN is none of ours. */
export function findTestCard(pan: string): TestCard | undefined {
  return BY_PAN.get(pan);
}
