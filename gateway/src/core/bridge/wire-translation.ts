import {
  type AuthorizationRequest,
  type Envelope,
  OfflineKind,
  SaleType,
  type StreamKind,
  type WireEnciphered,
  type WireMoney,
  type PosData as WirePosData,
} from '@tillbridge/wire/bridge/messages.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import type {
  BridgeOrigin,
  Enciphered,
  FollowUpRequest,
  OfflineDecision,
  PaymentRequest,
  PaymentType,
  PosData,
} from '../payments/rules/requests.js';
import type { OpenSession } from './session-machine.js';

/** A well-formed message that the service cannot take. The text names the field and the rule. */
export class UntranslatableError extends Error {
  override readonly name = 'UntranslatableError';
}

/** The call of the service that a message stands for. */
export type ServiceCall =
  | { readonly call: 'authorize'; readonly request: PaymentRequest }
  | { readonly call: 'follow-up'; readonly request: FollowUpRequest };

const ENTRY_MODES: ReadonlySet<string> = new Set([
  'MANUAL',
  'MAGSTRIPE',
  'MAGSTRIPE_AS_FALLBACK',
  'ICC',
  'NFC_ICC',
  'NFC_MAGSTRIPE',
]);

/**
 * Translates a live request for the service.
 * @throws UntranslatableError
 */
export function translateAuthorization(
  envelope: Envelope<'authorizationRequest'>,
  session: OpenSession,
): ServiceCall {
  const { body } = envelope;
  const origin = originOf(envelope, session, body.pos?.terminalId);
  const common = { origin, amount: money(body.amount), ...referenceOf(body.reference) };
  if (body.type === SaleType.REFUND && body.originalMessageId !== '') {
    const target = { by: 'message', messageId: body.originalMessageId } as const;
    return { call: 'follow-up', request: { ...common, type: 'RF', target } };
  }
  const pos = posData(body.pos, origin.terminalId);
  const type = paymentType(body);
  const partial = body.partialAllowed ? { partialAllowed: true } : {};
  const parts = partsOf(type, common.amount, body);
  return { call: 'authorize', request: { ...common, ...parts, ...partial, type, pos } };
}

function paymentType({ type }: Pick<AuthorizationRequest, 'type'>): PaymentType {
  if (type === SaleType.SALE) return 'DB';
  if (type === SaleType.PREAUTHORIZATION) return 'PA';
  if (type === SaleType.REFUND) return 'CD';
  throw new UntranslatableError('type must be SALE, REFUND or PREAUTHORIZATION');
}

/** Tip and cash back, which are parts of the amount of a sale. */
function partsOf(
  type: PaymentType,
  amount: Money,
  wire: { readonly tip?: WireMoney | undefined; readonly cashBack?: WireMoney | undefined },
): Pick<PaymentRequest, 'tip' | 'cashBack'> {
  const tip = wire.tip && money(wire.tip, 'tip');
  const cashBack = wire.cashBack && money(wire.cashBack, 'cashBack');
  const field = tip ? 'tip' : 'cashBack';
  const parts = [tip, cashBack].filter((part) => part !== undefined);
  if (parts.length === 0) return {};
  if (type !== 'DB') throw new UntranslatableError(`${field} belongs to a SALE`);
  if (parts.some(({ currency }) => currency !== amount.currency))
    throw new UntranslatableError(`${field}.currency must be that of the amount`);
  if (parts.reduce((sum, { minor }) => sum + minor, 0) >= amount.minor)
    throw new UntranslatableError(`${field} must leave something of the amount, of which it is a part`);
  return { ...(tip && { tip }), ...(cashBack && { cashBack }) };
}

/**
 * Translates a message of a stream for the service.
 * @throws UntranslatableError
 */
export function translateStream(envelope: Envelope<StreamKind>, session: OpenSession): ServiceCall {
  const origin = originOf(envelope, session);
  switch (envelope.kind) {
    case 'reversal': {
      const { reason, amount } = envelope.body;
      return followUp(origin, envelope.body, {
        type: 'RV',
        ...(reason !== '' && { reason }),
        ...(amount && amount.minor > 0 && { amount: money(amount) }),
      });
    }
    case 'cancelIfUnseen':
      return followUp(origin, envelope.body, { type: 'RV', cancelIfUnseen: true });
    case 'capture': {
      const { final, amount } = envelope.body;
      return followUp(origin, envelope.body, { type: 'CP', amount: money(amount), ...(final && { final }) });
    }
    case 'offlineRecord':
      return { call: 'authorize', request: offlineSale(envelope, origin) };
    case 'voiceAuthorization':
      return { call: 'authorize', request: voiceSale(envelope, origin) };
  }
}

function followUp(
  origin: BridgeOrigin,
  { originalMessageId, reference }: { readonly originalMessageId: string; readonly reference: string },
  request: Omit<FollowUpRequest, 'origin' | 'target' | 'reference'>,
): ServiceCall {
  const target = targetOf(originalMessageId);
  return { call: 'follow-up', request: { origin, target, ...request, ...referenceOf(reference) } };
}

/** Two to six letters or digits (ISO 8583 field 38). */
const APPROVAL_CODE = /^[0-9A-Za-z]{2,6}$/;

function voiceSale({ body }: Envelope<'voiceAuthorization'>, origin: BridgeOrigin): PaymentRequest {
  const type = paymentType(body);
  if (type === 'CD')
    throw new UntranslatableError('type must be SALE or PREAUTHORIZATION: no refund is approved by voice');
  const { approvalCode, originalMessageId } = body;
  if (!APPROVAL_CODE.test(approvalCode))
    throw new UntranslatableError('approvalCode must be 2 to 6 letters or digits');
  const { messageId } = targetOf(originalMessageId);
  return {
    origin,
    type,
    amount: money(body.amount),
    ...referenceOf(body.reference),
    voice: { approvalCode, originalMessageId: messageId },
  };
}

function offlineSale({ body }: Envelope<'offlineRecord'>, origin: BridgeOrigin): PaymentRequest {
  if (body.type !== SaleType.SALE && body.type !== SaleType.PREAUTHORIZATION)
    throw new UntranslatableError('type must be SALE or PREAUTHORIZATION: nothing else is decided offline');
  const type = body.type === SaleType.SALE ? 'DB' : 'PA';
  const amount = money(body.amount);
  return {
    ...{ origin, type, amount },
    ...partsOf(type, amount, { tip: body.tip }),
    ...referenceOf(body.reference),
    pos: posData(body.pos, origin.terminalId),
    offline: {
      kind: offlineKind(body.kind),
      decidedAtMs: body.decidedAtMs,
      ageMs: body.ageMs,
      ...(body.expired && { expired: true }),
    },
  };
}

function offlineKind(kind: OfflineKind): OfflineDecision['kind'] {
  if (kind === OfflineKind.CARD_APPROVED) return 'card-approved';
  if (kind === OfflineKind.DEFERRED) return 'deferred';
  throw new UntranslatableError('kind must be CARD_APPROVED or DEFERRED');
}

function originOf(envelope: Envelope, session: OpenSession, posTerminalId = ''): BridgeOrigin {
  const terminalId = envelope.terminalId || posTerminalId;
  const { agentId, entityId, epoch, provenAtMs, terminals } = session;
  if (!terminals.includes(terminalId))
    throw new UntranslatableError(
      'terminalId must be one of the terminals that are registered with the agent',
    );
  return {
    kind: 'bridge',
    agentId,
    entityId,
    epoch,
    provenAtMs,
    messageId: envelope.id,
    terminalId,
    sequence: envelope.sequence,
  };
}

function targetOf(messageId: string) {
  if (messageId === '')
    throw new UntranslatableError('originalMessageId must name the message that is followed');
  return { by: 'message', messageId } as const;
}

function referenceOf(reference: string): { readonly reference?: string } {
  return reference === '' ? {} : { reference };
}

function money(wire: WireMoney | undefined, field = 'amount'): Money {
  if (wire === undefined) throw new UntranslatableError(`${field} is missing`);
  const { minor, currency } = wire;
  if (minor <= 0) throw new UntranslatableError(`${field}.minor must be above zero`);
  if (!/^[A-Z]{3}$/.test(currency))
    throw new UntranslatableError(`${field}.currency must be three capital letters`);
  return { minor, currency };
}

function posData(wire: WirePosData | undefined, terminalId: string): PosData {
  if (wire === undefined) throw new UntranslatableError('pos is missing');
  if (!ENTRY_MODES.has(wire.entryMode))
    throw new UntranslatableError('pos.entryMode must be one of the entry modes of the API (spec 2.3)');
  if (wire.terminalId !== '' && wire.terminalId !== terminalId)
    throw new UntranslatableError('pos.terminalId must be that of the message');
  const { deviceType, deviceId, panSequenceNumber, transactionSequenceNumber, iccData, expiry } = wire;
  const sred = enciphered('sred', wire.sred);
  const pin = enciphered('pin', wire.pin);
  return {
    terminalId,
    entryMode: wire.entryMode,
    ...(deviceType !== '' && { deviceType }),
    ...(deviceId !== '' && { deviceId }),
    ...(panSequenceNumber !== '' && { panSequenceNumber }),
    ...(transactionSequenceNumber > 0 && { transactionSequenceNumber: String(transactionSequenceNumber) }),
    ...(iccData.length > 0 && { iccData }),
    ...(expiry !== '' && { expiry }),
    ...(sred && { sred }),
    ...(pin && { pin }),
  };
}

function enciphered(field: string, wire: WireEnciphered | undefined): Enciphered | undefined {
  if (wire === undefined || (wire.data.length === 0 && wire.ksn.length === 0)) return undefined;
  if (wire.data.length === 0 || wire.ksn.length === 0)
    throw new UntranslatableError(`pos.${field} needs both data and ksn`);
  return { data: wire.data, ksn: wire.ksn };
}
