import { toHex } from '@tillbridge/wire/bytes.js';
import { decodeTlv, findTlv, TlvError } from '@tillbridge/wire/emv/tlv.js';
import { paymentMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { isPublishedTestCard } from '@tillbridge/wire/payment/published-test-cards.js';
import { present } from '@tillbridge/wire/present.js';
import { contentDetail } from '../../../kernel/api/content.js';
import type { KsnUse } from '../../../security/devices/ksn-use.js';
import { checkCryptogram } from '../../../security/module/check-cryptogram.js';
import {
  type AccountData,
  SecurityModuleError,
  type TranslatedPin,
  type TranslatePinRequest,
} from '../../../security/module/security-module.js';
import { VaultError } from '../../../security/vault/vault.js';
import { type AcquirerPointOfSale, last4DigitsOf } from '../../acquirers/acquirer.js';
import { traceOf } from '../cards/card-trace.js';
import { openRegistration } from '../cards/registered.js';
import { type WalletCard, walletCard } from '../cards/wallet-card.js';
import { acquirerFor, type RoutedAcquirer } from '../lookup/acquirer-route.js';
import { AccountDataError } from '../rules/account-data-error.js';
import { checkCard } from '../rules/check-card.js';
import { type CardTrace, NO_CARD } from '../rules/drafts.js';
import { evadesChip, INSTRUMENT_MISMATCH, lacksAccountData, lacksChipData } from '../rules/instrument.js';
import { sourceOf } from '../rules/message-changes.js';
import type { PreparedCard, RefusedCard } from '../rules/prepared-card.js';
import {
  type CardData,
  OutageError,
  type PaymentRequest,
  type PosData,
  type RegistrationUse,
} from '../rules/requests.js';
import { type AdmittedAccountData, ksnTaker, pinUse } from './admit-account-data.js';
import type { PaymentContext } from './payment-context.js';
import { referredCard } from './referred-card.js';
import { storedCard } from './stored-card.js';

/** A prepared or refused card, and the changes that claim the KSNs which its data used. */
export type CardPreparation = (PreparedCard | RefusedCard) & {
  readonly takeKsns: ReturnType<typeof ksnTaker>;
};

/**
 * Deciphers account data, checks the card, translates the PIN block.
 * @param admitted what was let in of a terminal; absent for every other card
 * @throws AccountDataError, OutageError
 */
export async function prepareCard(
  context: PaymentContext,
  request: PaymentRequest,
  paymentId: string,
  admitted: AdmittedAccountData | undefined,
): Promise<CardPreparation> {
  const looked = (card: PreparedCard | RefusedCard, ofPin?: KsnUse): CardPreparation => ({
    ...card,
    takeKsns: ksnTaker(context, request, admitted, ofPin),
  });
  if (request.instrument) return looked(asInstrument(request.instrument));
  if (request.voice) return looked(await referredCard(context, request, request.voice));
  if (request.registration) return looked(await registeredCard(context, request, request.registration));
  if (request.storedCard !== undefined) {
    const { storedCard: id } = request;
    // A registration has its card as long as it is not removed; the vault has that of a payment for a time.
    const isRegistered = (await context.store.get('registrations', [id])) !== undefined;
    const read = isRegistered ? registeredCard(context, request, { id }) : storedCard(context, request, id);
    return looked(await read);
  }
  if (lacksAccountData(request) || lacksChipData(request)) return looked(refuse(INSTRUMENT_MISMATCH));
  try {
    const wallet = await walletCard(context, request);
    if (wallet && !wallet.ok) return looked(wallet);
    const typed = wallet?.card ?? request.card;
    const read = admitted ? await decipher(context, request, admitted) : typed && accountOf(typed);
    if (!read) return looked(refuse(NO_ACCOUNT));
    const pin = pinOf(request, read);
    const ofPin = pin && admitted && pinUse(context, request, paymentId, admitted, pin);
    if (pin && !ofPin) return looked(refuse(INSTRUMENT_MISMATCH));
    const isOfOwnKey = ofPin && ofPin.ksn !== admitted?.use.ksn;
    const card = await checked(context, request, read, { typed, pin, wallet });
    return looked(card, isOfOwnKey ? ofPin : undefined);
  } catch (error) {
    if (error instanceof VaultError) {
      context.onFault('the keys of a wallet do not open', error);
      return looked(refuse(SECURITY_FAULT_CODES.unavailable));
    }
    if (!(error instanceof SecurityModuleError)) throw error;
    context.onFault('the security module refused a card', error);
    await alertMissingKey(context, request, error);
    // A sale that is over cannot be refused because of a fault of ours that passes.
    if (error.code === 'unavailable' && request.offline) throw new OutageError(error.message);
    return looked(refuse(SECURITY_FAULT_CODES[error.code]));
  }
}

/** The means of payment that is stored as a registration. @throws StoreUnavailableError */
async function registeredCard(
  context: PaymentContext,
  request: PaymentRequest,
  use: RegistrationUse,
): Promise<PreparedCard | RefusedCard> {
  try {
    const opened = await openRegistration(context, use.id, request.origin.entityId);
    if (typeof opened === 'string') return refuse({ resultCode: opened, responseCode: '14' });
    const { row, details } = opened;
    const { holder = use.holder } = details;
    if (details.kind === 'bank-account') {
      const account = { ...use.debit, by: 'direct-debit' as const, ...details, ...present({ holder }) };
      return asInstrument(account);
    }
    const { pan, expiryYear, expiryMonth, numberType } = details;
    const typed = { number: pan, expiryYear, expiryMonth, ...present({ holder, numberType, cvv: use.cvv }) };
    const brand = request.brand ?? row.brand ?? undefined;
    const branded = { ...request, ...present({ brand }) };
    return await checked(context, branded, accountOf(typed), { typed, pin: undefined, wallet: undefined });
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    context.onFault(`registration ${use.id} does not open`, error);
    return refuse(SECURITY_FAULT_CODES.unavailable);
  }
}

/** What is no card has nothing to decipher, and none of the traces of a card. */
function asInstrument(instrument: NonNullable<PaymentRequest['instrument']>): PreparedCard {
  const trace = { ...NO_CARD, brand: instrument.brand };
  if (instrument.kind !== 'token') return { ok: true, instrument, trace };
  const { expiryMonth = null, expiryYear = null, type } = instrument;
  const last4Digits = last4DigitsOf(instrument) ?? null;
  const numberType = type === 'NETWORK' ? 'DPAN' : null;
  return { ok: true, instrument, trace: { ...trace, last4Digits, expiryMonth, expiryYear, numberType } };
}

type RefusalCodes = Pick<RefusedCard, 'resultCode' | 'responseCode'>;

/** Code of a request without a card. */
const NO_ACCOUNT: RefusalCodes = { resultCode: '100.100.100', responseCode: '30' };
/** Code of a card number that is published for tests, in live mode. */
const TEST_CARD_LIVE = '700.500.003';

const SECURITY_FAULT_CODES: Readonly<Record<SecurityModuleError['code'], RefusalCodes>> = {
  'bad-data': { resultCode: '800.100.156', responseCode: '30' },
  'unknown-key': { resultCode: '800.100.190', responseCode: '96' },
  unavailable: { resultCode: '900.100.203', responseCode: '96' },
};

/** What was read in addition to the account data. */
interface FurtherData {
  /** Card data that a person typed, or a wallet gave. */
  readonly typed: CardData | undefined;
  readonly pin: DevicePin | undefined;
  readonly wallet: WalletCard | undefined;
}

/** Checks a card whose number is present. */
async function checked(
  context: PaymentContext,
  request: PaymentRequest,
  read: AccountData,
  { typed, pin: devicePin, wallet }: FurtherData,
): Promise<PreparedCard | RefusedCard> {
  // A PIN block and the code printed on the card go to the acquirer and nowhere else.
  const { pin: _, cvv: keyedInCvv, ...account } = read;
  const { pos, brand } = request;
  const cvv = typed?.cvv ?? keyedInCvv;
  const numberType = typed?.numberType;
  const about = { numberType: numberType ?? null, wallet: wallet?.name ?? null };
  const facts = { pan: account.pan, brand, ...(typed && { typed }) };
  const verdict = checkCard(facts, context.clock.nowMs());
  if (!verdict.ok) {
    const { resultCode, name } = verdict;
    const detail = name === undefined ? undefined : contentDetail({ code: resultCode, name });
    const refusal = { resultCode, responseCode: '14', ...present({ detail }) };
    return refuse(refusal, traceOf(account, brand ?? null, about));
  }
  const trace = traceOf(account, verdict.brand, about);
  if (context.mode === 'live' && isPublishedTestCard(account.pan))
    return refuse({ resultCode: TEST_CARD_LIVE, responseCode: '14' }, trace);
  if (pos && evadesChip(pos.entryMode, account.track2)) return refuse(INSTRUMENT_MISMATCH, trace);
  const instrument = {
    kind: 'card',
    ...account,
    ...present({ cvv, numberType, proof: wallet?.proof }),
  } as const;
  // The zone key of a PIN belongs to the acquirer.
  const route = await routeOf(context, request, { instrument, trace });
  if (!route) return refuse(NO_ROUTE, trace);
  const pin = devicePin && (await translatedPin(context, account.pan, devicePin, route.name));
  const cryptogram = await cryptogramOf(context, request, account.pan);
  return {
    ok: true,
    instrument,
    route,
    toSeal: account,
    ...(pos && { pos: { ...acquirerPos(pos, pin), ...present({ cryptogram }) } }),
    trace,
    ...(wallet?.use && { walletToken: wallet.use }),
  };
}

/** @throws AccountDataError whatever makes the data none; SecurityModuleError unavailable */
async function decipher(
  context: PaymentContext,
  request: PaymentRequest,
  { device, profile }: AdmittedAccountData,
): Promise<AccountData | undefined> {
  const { pos } = request;
  if (!pos?.sred) return undefined;
  try {
    const expiry = pos.expiry ?? (pos.iccData && expiryOf(pos.iccData));
    return await context.security.decryptAccountData({
      profile,
      ...pos.sred,
      ...(expiry !== undefined && { expiry }),
    });
  } catch (error) {
    const isOurs = error instanceof SecurityModuleError && error.code !== 'unavailable';
    if (!isOurs && !(error instanceof TlvError)) throw error;
    if (isOurs) await alertMissingKey(context, request, error);
    throw new AccountDataError('undecipherable', device.serial, error.message);
  }
}

/** A key that is not loaded is our fault, or the device belongs to another gateway: raises an alert for staff. */
async function alertMissingKey(
  { alerts }: PaymentContext,
  { origin }: PaymentRequest,
  { code, message }: SecurityModuleError,
): Promise<void> {
  if (code !== 'unknown-key') return;
  await alerts.raise({ code: 'device-key-missing', subject: sourceOf(origin), detail: message });
}

function accountOf({ number: pan, expiryMonth, expiryYear, holder }: CardData): AccountData {
  return { pan, expiryMonth, expiryYear, ...(holder !== undefined && { holder }) };
}

/** `YYMM` of tag 5F24. */
function expiryOf(iccData: Uint8Array): string | undefined {
  const value = findTlv(decodeTlv(iccData), '5F24');
  return value && toHex(value).slice(0, 4);
}

/** What is found of the cryptogram of a request; undefined without chip data. */
async function cryptogramOf(
  { security }: PaymentContext,
  { pos, offline }: PaymentRequest,
  pan: string,
): Promise<AcquirerPointOfSale['cryptogram']> {
  if (!pos?.iccData) return undefined;
  const chip = { pan, panSequenceNumber: pos.panSequenceNumber, iccData: pos.iccData };
  return checkCryptogram(security, chip, offline?.kind === 'card-approved' ? 'TC' : 'ARQC');
}

/** How a payment is refused that no route takes. */
export const NO_ROUTE: RefusalCodes = { resultCode: '600.200.700', responseCode: '92' };

/** The acquirer of a payment; undefined where no route takes it. @throws StoreUnavailableError */
export function routeOf(
  context: PaymentContext,
  request: PaymentRequest,
  { instrument, trace }: Pick<PreparedCard, 'instrument' | 'trace'>,
): Promise<RoutedAcquirer | undefined> {
  return acquirerFor(context, request, {
    currency: request.amount.currency,
    method: paymentMethodOf(trace.brand),
    isCardPresent: request.pos !== undefined,
    ...present({ brand: trace.brand, number: instrument.kind === 'card' ? instrument.pan : undefined }),
  });
}

/** A PIN block under a key of the terminal. */
interface DevicePin {
  readonly ksn: Uint8Array;
  readonly data: Uint8Array;
  readonly format?: TranslatePinRequest['format'];
}

/** The PIN block of the request, or the one that the terminal put inside its account data. */
function pinOf({ pos }: PaymentRequest, { pin: inside }: AccountData): DevicePin | undefined {
  if (pos?.pin) return pos.pin;
  return inside && { ...inside, data: inside.pinBlock };
}

/** Length of a PIN block that no PIN verifies. */
const PIN_BLOCK_BYTES = 8;

/** A PIN block that cannot be opened goes on as a wrong one: the issuer alone answers that, and a block reveals no PIN. */
async function translatedPin(
  { security, random, onFault }: PaymentContext,
  pan: string,
  { ksn, data, format }: DevicePin,
  zone: string,
): Promise<TranslatedPin> {
  try {
    return await security.translatePin({ ksn, pinBlock: data, pan, zone, ...present({ format }) });
  } catch (error) {
    if (!(error instanceof SecurityModuleError) || error.code !== 'bad-data') throw error;
    onFault('a PIN block cannot be opened', error);
    return { zoneKey: zone, pinBlock: random.bytes(PIN_BLOCK_BYTES) };
  }
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

function refuse(codes: RefusalCodes, trace: CardTrace = NO_CARD): RefusedCard {
  return { ok: false, ...codes, trace };
}

/** What is known of a typed card before it is looked at; nothing of any other. */
export function typedTrace({ card, brand, wallet }: PaymentRequest): CardTrace {
  const about = { numberType: card?.numberType ?? null, wallet: wallet?.name ?? null };
  return card ? traceOf(accountOf(card), brand ?? null, about) : { ...NO_CARD, ...about };
}
