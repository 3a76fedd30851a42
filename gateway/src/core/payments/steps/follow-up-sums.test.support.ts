/** What may be done with a payment. `of` is the place of a capture or chargeback among those that were made; absent: the payment itself. */
export interface Wish {
  readonly type: 'CP' | 'RF' | 'RV' | 'INCREMENTAL_AUTH' | 'CB' | 'CR';
  /** In minor units. */
  readonly minor: number;
  readonly of?: number;
  readonly final?: boolean;
}

/** A capture, or a chargeback. */
interface Part {
  readonly minor: number;
  readonly refunded: number;
  readonly isFinal: boolean;
  readonly isReversed: boolean;
}

/** The sums of a payment, as on paper: no rule of the gateway. */
export interface PaymentSums {
  /** Money was only reserved. */
  readonly isHold: boolean;
  readonly authorized: number;
  readonly captured: number;
  readonly refunded: number;
  readonly chargedBack: number;
  readonly released: number;
  /** No further capture, no further refund. */
  readonly isCaptureOver: boolean;
  readonly isRefundOver: boolean;
  readonly captures: readonly Part[];
  readonly chargebacks: readonly Part[];
}

/** The sums of a payment of which nothing has happened yet. */
export function newSums(minor: number, isHold: boolean): PaymentSums {
  const nothing = { refunded: 0, chargedBack: 0, released: 0, captures: [], chargebacks: [] };
  const open = { isCaptureOver: false, isRefundOver: false };
  return { isHold, authorized: minor, captured: isHold ? 0 : minor, ...nothing, ...open };
}

/** The sums once a wish was carried out; undefined where it must not be. */
export function carriedOut(
  sums: PaymentSums,
  { type, minor, of, final = false }: Wish,
): PaymentSums | undefined {
  const held = sums.authorized - sums.captured - sums.released;
  const kept = sums.captured - sums.refunded - sums.chargedBack;
  const part = of === undefined ? undefined : sums.captures[of];
  switch (type) {
    case 'CP': {
      if (!sums.isHold || sums.isCaptureOver || minor > held) return undefined;
      const captures = [...sums.captures, { minor, refunded: 0, isFinal: final, isReversed: false }];
      return { ...sums, captured: sums.captured + minor, captures, isCaptureOver: final };
    }
    case 'INCREMENTAL_AUTH': {
      const isFresh = sums.isHold && sums.captured === 0 && sums.released === 0;
      return isFresh ? { ...sums, authorized: sums.authorized + minor } : undefined;
    }
    case 'RF': {
      if (sums.isRefundOver || minor > kept) return undefined;
      const refunded = { ...sums, refunded: sums.refunded + minor, isRefundOver: final };
      if (!part) return refunded;
      if (part.isReversed || minor > part.minor - part.refunded) return undefined;
      return { ...refunded, captures: replaced(sums.captures, of, { refunded: part.refunded + minor }) };
    }
    case 'RV':
      return part ? withoutCapture(sums, part, of) : released(sums, held);
    case 'CB': {
      if (minor > kept) return undefined;
      const chargebacks = [...sums.chargebacks, { minor, refunded: 0, isFinal: false, isReversed: false }];
      return { ...sums, chargedBack: sums.chargedBack + minor, chargebacks };
    }
    case 'CR': {
      const taken = sums.chargebacks[of ?? 0];
      if (!taken || taken.isReversed) return undefined;
      const chargebacks = replaced(sums.chargebacks, of ?? 0, { isReversed: true });
      return { ...sums, chargedBack: sums.chargedBack - taken.minor, chargebacks };
    }
  }
}

/** A hold is set free as far as nothing was captured; a payment is reversed as a whole, or refunded. */
function released(sums: PaymentSums, held: number): PaymentSums | undefined {
  if (sums.chargedBack > 0) return undefined;
  if (sums.isHold) return held > 0 ? { ...sums, released: sums.released + held } : undefined;
  if (sums.refunded > 0 || sums.captured === 0) return undefined;
  return { ...sums, released: sums.authorized, captured: 0 };
}

function withoutCapture(sums: PaymentSums, part: Part, of: number | undefined): PaymentSums | undefined {
  const kept = sums.captured - sums.refunded - sums.chargedBack;
  if (part.isReversed || part.refunded > 0 || kept < part.minor) return undefined;
  return {
    ...sums,
    captured: sums.captured - part.minor,
    isCaptureOver: part.isFinal ? false : sums.isCaptureOver,
    captures: replaced(sums.captures, of, { isReversed: true }),
  };
}

function replaced(parts: readonly Part[], at: number | undefined, change: Partial<Part>): readonly Part[] {
  return parts.map((part, place) => (place === at ? { ...part, ...change } : part));
}
