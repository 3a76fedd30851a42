import { toHex } from '@tillbridge/protocol/bytes.js';
import { decodeTlv, findTlv, TlvError } from '@tillbridge/protocol/emv/tlv.js';
import { detectBrand } from '@tillbridge/protocol/payment/brands.js';
import { isPublishedTestCard } from '@tillbridge/protocol/payment/published-test-cards.js';
import type { AcquirerPointOfSale } from '../../acquirers/acquirer.js';
import {
  type AccountData,
  SecurityModuleError,
  type TranslatedPin,
} from '../../security/module/security-module.js';
import { checkCard } from '../decide/check-card.js';
import { type CardTrace, NO_CARD } from '../decide/drafts.js';
import { sourceOf } from '../decide/message-changes.js';
import type { PreparedCard, RefusedCard } from '../decide/prepared-card.js';
import { OutageError, type PaymentRequest, type PosData } from '../decide/requests.js';
import type { PaymentContext } from './payment-context.js';
import { referredCard } from './referred-card.js';

/** Deciphers account data, checks the card, translates the PIN block. */
export async function prepareCard(
  context: PaymentContext,
  request: PaymentRequest,
): Promise<PreparedCard | RefusedCard> {
  if (request.voice) return referredCard(context, request, request.voice);
  try {
    const read = await accountOf(context, request);
    if (!read) return refuse('100.100.100', '30');
    // A PIN block and the code printed on the card go to the acquirer and nowhere else.
    const { pin: pinInside, cvv: keyedInCvv, ...account } = read;
    const typed = request.card;
    const cvv = typed?.cvv ?? keyedInCvv;
    const verdict = checkCard(
      { pan: account.pan, brand: request.brand, ...(typed && { typed }) },
      context.clock.nowMs(),
    );
    if (!verdict.ok) return refuse(verdict.resultCode, '14', traceOf(account, request.brand ?? null));
    if (context.mode === 'live' && isPublishedTestCard(account.pan))
      return refuse(TEST_CARD_LIVE, '14', traceOf(account, verdict.brand));
    const pin = await translatedPin(context, account.pan, request.pos, pinInside);
    return {
      ok: true,
      account: { ...account, ...(cvv !== undefined && { cvv }) },
      toSeal: account,
      ...(request.pos && { pos: acquirerPos(request.pos, pin) }),
      trace: traceOf(account, verdict.brand),
    };
  } catch (error) {
    if (error instanceof TlvError) return refuse('800.100.156', '30');
    if (!(error instanceof SecurityModuleError)) throw error;
    context.onFault('the security module refused a card', error);
    if (error.code === 'unknown-key') {
      const { alerts } = context;
      const subject = sourceOf(request.origin);
      await alerts.raise({ code: 'device-key-missing', subject, detail: error.message });
    }
    // A sale that is over cannot be refused because of a fault of ours that passes.
    if (error.code === 'unavailable' && request.offline) throw new OutageError(error.message);
    const [resultCode, responseCode] = SECURITY_FAULT_CODES[error.code];
    return refuse(resultCode, responseCode);
  }
}

/** Code of a card number that is published for tests, in live mode. */
const TEST_CARD_LIVE = '700.500.003';

const SECURITY_FAULT_CODES: Readonly<Record<SecurityModuleError['code'], readonly [string, string]>> = {
  'bad-data': ['800.100.156', '30'],
  'unknown-key': ['800.100.190', '96'],
  unavailable: ['900.100.203', '96'],
};

async function accountOf(
  { security }: PaymentContext,
  request: PaymentRequest,
): Promise<AccountData | undefined> {
  const { pos, card } = request;
  if (pos?.sred) {
    const expiry = pos.expiry ?? (pos.iccData && expiryOf(pos.iccData));
    return security.decryptAccountData({
      profile: pos.deviceType ?? 'default',
      ...pos.sred,
      ...(expiry !== undefined && { expiry }),
    });
  }
  if (!card) return undefined;
  const { number: pan, expiryMonth, expiryYear, holder } = card;
  return { pan, expiryMonth, expiryYear, ...(holder !== undefined && { holder }) };
}

/** `YYMM` of tag 5F24. */
function expiryOf(iccData: Uint8Array): string | undefined {
  const value = findTlv(decodeTlv(iccData), '5F24');
  return value && toHex(value).slice(0, 4);
}

/** The PIN block of the request, or the one that the terminal put inside its account data. */
async function translatedPin(
  { security }: PaymentContext,
  pan: string,
  pos: PosData | undefined,
  inside: AccountData['pin'],
): Promise<TranslatedPin | undefined> {
  if (pos?.pin) return security.translatePin({ ksn: pos.pin.ksn, pinBlock: pos.pin.data, pan });
  return inside && security.translatePin({ ...inside, pan });
}

function acquirerPos(pos: PosData, pin: TranslatedPin | undefined): AcquirerPointOfSale {
  return {
    terminalId: pos.terminalId,
    entryMode: pos.entryMode,
    ...(pos.panSequenceNumber !== undefined && { panSequenceNumber: pos.panSequenceNumber }),
    ...(pos.iccData && { iccData: pos.iccData }),
    ...(pin && { pin }),
  };
}

function traceOf(account: AccountData, brand: string | null): CardTrace {
  const { pan, holder, expiryMonth, expiryYear } = account;
  const long = pan.length >= 12;
  return {
    brand: brand ?? detectBrand(pan)?.key ?? null,
    bin: long ? pan.slice(0, 6) : null,
    last4Digits: long ? pan.slice(-4) : null,
    holder: holder ?? null,
    expiryMonth,
    expiryYear,
  };
}

function refuse(resultCode: string, responseCode: string, trace: CardTrace = NO_CARD): RefusedCard {
  return { ok: false, resultCode, responseCode, trace };
}
