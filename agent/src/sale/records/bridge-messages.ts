import {
  type Envelope,
  OfflineKind,
  type PosData,
  SaleType as WireSaleType,
} from '@tillbridge/wire/bridge/messages.js';
import { wireWords } from '@tillbridge/wire/bridge/wire-words.js';
import { present } from '@tillbridge/wire/present.js';
import type { CardData, CardFacts } from '../../drivers/core/driver.js';
import type { StreamEnvelope } from '../../journal/forward-queue.js';
import type { SensitiveData } from '../machine/state/events.js';
import type { StreamFact } from '../machine/state/facts.js';
import { offlineRecordOf } from '../machine/state/messages.js';
import { amountOf, cashBackOf, type SaleState, tipOf } from '../machine/state/sale-state.js';

/** What the agent's configuration has of a terminal. */
export interface TerminalProfile {
  /** `pos.terminalId`: 1 to 32 digits, given by the acquirer. */
  readonly id: string;
  /** `pos.deviceType`. */
  readonly deviceType: string;
  /** `pos.deviceId`: the registry's numeric serial. */
  readonly deviceId?: string | undefined;
  readonly pinEntryAvailable: boolean;
}

const WIRE_TYPES = wireWords(WireSaleType);

/** `pos.transactionSequenceNumber`, tag 9F41: at most eight digits (EMV Book 3 Annex A). */
const SEQUENCE_NUMBERS = 99_999_999;

/** The sale's number on this agent. */
export function transactionSequenceNumber(state: SaleState): number {
  return ((state.acceptedRow - 1) % SEQUENCE_NUMBERS) + 1;
}

/** The live request of a sale, with its PIN block if there is one. */
export function authorizationRequest(
  state: SaleState,
  messageId: string,
  profile: TerminalProfile,
  card: CardData | undefined,
  journaledAtMs: number,
  partialAllowed = false,
): Envelope<'authorizationRequest'> {
  const { reference, request } = state;
  return {
    id: messageId,
    terminalId: state.terminalId,
    sequence: 0,
    kind: 'authorizationRequest',
    body: {
      reference,
      type: WIRE_TYPES[request.type],
      amount: amountOf(state),
      originalMessageId: request.originalMessageId ?? '',
      journaledAtMs,
      // A partial refund would leave the rest unpaid; of a part with cash back no one knows how much of it is cash.
      partialAllowed: partialAllowed && request.type !== 'refund' && request.cashBackMinor === undefined,
      ...present({ tip: tipOf(state), cashBack: cashBackOf(state) }),
      ...(card && {
        pos: {
          ...posData(state, profile, card.facts, card.iccData),
          ...(card.sred && { sred: card.sred }),
          ...(card.pin && { pin: card.pin }),
        },
      }),
    },
  };
}

/** Requests the status of a message. */
export function statusRequest(id: string, messageId: string): Envelope<'statusRequest'> {
  return { id, terminalId: '', sequence: 0, kind: 'statusRequest', body: { messageId } };
}

/** A stream message as it was journaled: but for its age the same each time it is built. */
export function streamEnvelope(
  state: SaleState,
  fact: StreamFact,
  { sequence, ageMs }: { readonly sequence: number; readonly ageMs: number },
  profile: TerminalProfile,
  sensitive: SensitiveData | undefined,
): StreamEnvelope {
  const { reference, terminalId } = state;
  const place = { id: fact.messageId, terminalId, sequence };
  const { amount } = fact;
  const type = WIRE_TYPES[state.request.type];
  const iccData = sensitive?.iccData ?? new Uint8Array();
  switch (fact.kind) {
    case 'reversal':
    case 'preceding-reversal': {
      const { originalMessageId, reason } = fact;
      return { ...place, kind: 'reversal', body: { originalMessageId, reference, amount, reason, iccData } };
    }
    case 'cancel-if-unseen': {
      const { originalMessageId } = fact;
      return { ...place, kind: 'cancelIfUnseen', body: { originalMessageId, reference } };
    }
    case 'capture': {
      const { originalMessageId, final = true } = fact;
      return { ...place, kind: 'capture', body: { originalMessageId, reference, amount, final } };
    }
    case 'voice-authorization': {
      const { originalMessageId, approvalCode } = fact;
      const body = { originalMessageId, reference, amount, approvalCode, type };
      return { ...place, kind: 'voiceAuthorization', body };
    }
    case 'offline-record':
      return {
        ...place,
        kind: 'offlineRecord',
        body: {
          kind: fact.approval === 'deferred' ? OfflineKind.DEFERRED : OfflineKind.CARD_APPROVED,
          reference,
          type,
          amount,
          decidedAtMs: fact.decidedAtMs,
          ageMs: Math.max(0, Math.floor(ageMs)),
          expired: offlineRecordOf(state)?.expired ?? false,
          ...present({ tip: tipOf(state) }),
          pos: {
            ...posData(state, profile, fact.card, iccData),
            ...(sensitive?.sred && { sred: sensitive.sred }),
          },
        },
      };
  }
}

function posData(state: SaleState, profile: TerminalProfile, facts: CardFacts, iccData: Uint8Array): PosData {
  return {
    terminalId: profile.id,
    deviceType: profile.deviceType,
    deviceId: profile.deviceId ?? '',
    entryMode: facts.entryMode,
    panSequenceNumber: facts.panSequenceNumber ?? '',
    transactionSequenceNumber: transactionSequenceNumber(state),
    pinEntryAvailable: profile.pinEntryAvailable,
    iccData,
    expiry: facts.expiry ?? '',
  };
}
