import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { CardData } from '../drivers/core/driver.js';
import type { Effect, Live, Sale, StepContext } from './machine/state/events.js';
import { NOTHING_LIVE } from './machine/state/events.js';
import { evolve } from './machine/state/evolve.js';
import type { AcceptedSale, Fact } from './machine/state/facts.js';
import type { GatewayAnswer } from './machine/state/gateway-answer.js';
import { DEFAULT_POLICY, type SalePolicy } from './machine/state/policy.js';
import type { SaleState } from './machine/state/sale-state.js';
import { cardFingerprints } from './offline/card-fingerprint.js';
import type { UnforwardedSale } from './offline/offline-exposure.js';
import type { OfflineSituation } from './offline/offline-rules.js';

export const AT = Date.UTC(2026, 10, 20, 12);

/** Seeded bytes (mulberry32): the same seed, the same run. */
export class SeededRandom implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.next() * choices.length)];
    if (choice === undefined) throw new Error('nothing to pick from');
    return choice;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => Math.floor(this.next() * 256));
  }
}

/** EMV data of a terminal with a cryptogram: `40` TC, `80` ARQC, `00` AAC. */
export function iccData(cid: number, more: Readonly<Record<string, string>> = {}): Uint8Array {
  const tags: Record<string, string> = {
    '9F26': 'A1B2C3D4E5F60708',
    '9F27': cid.toString(16).padStart(2, '0'),
    '9F36': '0042',
    '95': '0000008000',
    '9B': 'E800',
    '9F34': '1F0302',
    ...more,
  };
  return encodeTlv(Object.entries(tags).map(([tag, hex]) => tlv(tag, Buffer.from(hex, 'hex'))));
}

export const TC = 0x40;
export const ARQC = 0x80;
export const AAC = 0x00;

/** A chip card with its first cryptogram. */
export function chipCard(cid: number = ARQC, more: Partial<CardData> = {}): CardData {
  return {
    facts: {
      entryMode: 'ICC',
      bin: '476173',
      last4Digits: '0119',
      aid: 'A0000000031010',
      label: 'VISA CREDIT',
    },
    iccData: iccData(cid),
    sred: { data: Buffer.from('enciphered-track'), ksn: Buffer.from('FFFF9876543210E00001', 'hex') },
    ...more,
  };
}

/** A tap: it is over with its first cryptogram. */
export function tappedCard(more: Partial<CardData> = {}): CardData {
  const { facts } = chipCard();
  return chipCard(ARQC, { facts: { ...facts, entryMode: 'NFC_ICC' }, ...more });
}

/** Offline approvals up to 100.00 EUR, 150.00 in sum, all of them with one card if need be. */
export const OFFLINE_POLICY: SalePolicy = {
  ...DEFAULT_POLICY,
  offline: {
    ...DEFAULT_POLICY.offline,
    enabled: true,
    limits: { EUR: { perSaleMinor: 10_000, sumMinor: 15_000, perCardMinor: 15_000 } },
    maxPerCard: 60,
  },
};

/** The same, and deferred authorizations up to 25.00 EUR, 50.00 in sum, for taps and chips without verification too. */
export const DEFERRING: SalePolicy = {
  ...OFFLINE_POLICY,
  offline: {
    ...OFFLINE_POLICY.offline,
    deferred: {
      enabled: true,
      limits: { EUR: { perSaleMinor: 2_500, sumMinor: 5_000, perCardMinor: 5_000 } },
      maxCount: 5,
      cards: [
        { entryMode: 'NFC_ICC', verification: 'none' },
        { entryMode: 'ICC', verification: 'none' },
      ],
    },
  },
};

export const REQUEST: AcceptedSale = { type: 'sale', minor: 1_234, currency: 'EUR', onlineOnly: false };

/** Nothing in the way, nothing taken. */
export function situation(more: Partial<OfflineSituation> = {}): OfflineSituation {
  return {
    policy: OFFLINE_POLICY.offline,
    terminalId: '77',
    journalReady: true,
    clockBehind: false,
    contactAgeMs: 0,
    unforwarded: [],
    ...more,
  };
}

export const FINGERPRINT_KEY: Uint8Array = Buffer.alloc(32, 7);

export function context(more: Partial<StepContext> = {}): StepContext {
  return {
    nowMs: AT,
    ids: ['fresh-1', 'fresh-2'],
    policy: OFFLINE_POLICY,
    link: 'up',
    offlineReasons: [],
    offline: situation({ policy: (more.policy ?? OFFLINE_POLICY).offline }),
    fingerprint: cardFingerprints(FINGERPRINT_KEY),
    ...more,
  };
}

export const APPROVED: GatewayAnswer = {
  disposition: 'approved',
  paymentId: 'p1',
  resultCode: '000.000.000',
};
export const DECLINED: GatewayAnswer = {
  disposition: 'declined',
  resultCode: '800.100.152',
  responseCode: '05',
};

/** The state after facts, `accepted` first. */
export function stateOf(request: AcceptedSale, ...facts: readonly Fact[]): SaleState {
  const place = { reference: 'R1', terminalId: '77', atMs: AT };
  const first = evolve(undefined, { kind: 'accepted', sale: request }, { ...place, row: 1 });
  return facts.reduce((state, fact, index) => evolve(state, fact, { ...place, row: index + 2 }), first);
}

/** A sale after facts, with its state in memory. Each test that reads the state makes it, so that it tries what makes it, too. */
export function saleOf(
  facts: readonly Fact[],
  live: Partial<Live> = {},
  request: AcceptedSale = REQUEST,
): Sale {
  return {
    get state() {
      return stateOf(request, ...facts);
    },
    live: { ...NOTHING_LIVE, ...live },
  };
}

/** An effect in one word, with what matters of it. */
export function effectText(effect: Effect): string {
  switch (effect.do) {
    case 'complete-card':
      return `complete-card ${effect.result.kind}`;
    case 'decline-card':
      return `${effect.do} ${effect.text}`;
    case 'finish-card':
      return `${effect.do} ${effect.text}${effect.amount ? ` ${effect.amount.minor}` : ''}`;
    case 'set-timer':
    case 'stop-timer':
      return `${effect.do} ${effect.timer}`;
    case 'send-authorization':
    case 'ask-status':
      return `${effect.do} ${effect.messageId}`;
    default:
      return effect.do;
  }
}

/** A fact in a few words, with what matters of it. */
export function factText(fact: Fact): string {
  switch (fact.kind) {
    case 'authorizing':
    case 'offline-record':
    case 'acknowledged':
    case 'withdrawn':
    case 'parked':
      return `${fact.kind} ${fact.messageId}`;
    case 'answered':
      return `answered${fact.late ? ' late' : ''} ${fact.answer.disposition}`;
    case 'completed':
      return `completed ${fact.result}`;
    case 'unknown':
      return `unknown ${fact.reason}`;
    case 'reversal':
    case 'preceding-reversal':
      return `${fact.kind} ${fact.messageId} of ${fact.originalMessageId} ${fact.reason}/${fact.otherwise}`;
    case 'capture':
      return `capture ${fact.messageId} of ${fact.originalMessageId} ${fact.amount.minor}${fact.final ? ' FINAL' : ''}`;
    case 'cancel-if-unseen':
      return `cancel-if-unseen ${fact.messageId} of ${fact.originalMessageId}`;
    case 'voice-authorization':
      return `${fact.kind} ${fact.messageId} of ${fact.originalMessageId} ${fact.approvalCode}`;
    case 'overdue':
      return `overdue ${fact.code}`;
    case 'ended':
      return `ended ${fact.outcome} ${fact.mode} ${fact.reason}`;
    default:
      return fact.kind;
  }
}

/** A sale that waits, by default of another card. */
export function taken(minor: number, more: Partial<UnforwardedSale> = {}): UnforwardedSale {
  return {
    reference: 'R0',
    terminalId: '77',
    currency: 'EUR',
    minor,
    approval: 'card-approved',
    state: 'waiting',
    fingerprint: cardFingerprints(FINGERPRINT_KEY)({ entryMode: 'ICC', paymentAccountReference: 'another' }),
    ...more,
  };
}
