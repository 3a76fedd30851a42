import { Disposition, type Outcome } from '@tillbridge/wire/bridge/messages.js';
import { wordOfWire } from '@tillbridge/wire/bridge/wire-words.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';

/** How the gateway disposed of a money message. */
type GatewayDisposition = 'approved' | 'declined' | 'reversed' | 'nothing-to-reverse' | 'refused';

/** A gateway's outcome as it is journaled: nothing of the card's data in it. */
export interface GatewayAnswer {
  readonly disposition: GatewayDisposition;
  readonly paymentId?: string;
  readonly resultCode?: string;
  readonly description?: string;
  readonly approvalCode?: string;
  readonly responseCode?: string;
  readonly brand?: string;
  /** The approved amount, where the gateway sends it. */
  readonly amountMinor?: number;
  readonly currency?: string;
  /** What the cardholder can spend, and cash that the till hands out, where the issuer reports it. */
  readonly availableBalance?: Money;
  readonly cashBack?: Money;
}

/** A disposition that this build does not know moves no money forward. */
const dispositionOf = wordOfWire(Disposition, 'refused');

/** The part of a wire outcome that is kept. Empty texts are absent (proto3). */
export function toGatewayAnswer(outcome: Outcome): GatewayAnswer {
  const { paymentId, resultCode, description, approvalCode, responseCode, brand, amount } = outcome;
  const { availableBalance, cashBack } = outcome;
  return {
    disposition: dispositionOf(outcome.disposition),
    ...present({
      paymentId: paymentId || undefined,
      resultCode: resultCode || undefined,
      description: maskText(description) || undefined,
      approvalCode: approvalCode || undefined,
      responseCode: responseCode || undefined,
      brand: brand || undefined,
      availableBalance: reported(availableBalance),
      cashBack: reported(cashBack),
    }),
    ...(amount?.currency && { amountMinor: amount.minor, currency: amount.currency }),
  };
}

/** An amount as it is kept; one without a currency is none. */
function reported(amount: Outcome['amount']): Money | undefined {
  return amount?.currency ? { minor: amount.minor, currency: amount.currency } : undefined;
}
