import { findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { PerformRequest } from '@tillbridge/wire/terminals/newland/perform.js';
import { CALLBACK_FLAGS, CARD_WAYS, TAGS } from '@tillbridge/wire/terminals/newland/tags.js';
import type { PresentMode } from '../../cards/catalogue.js';
import type { RiskInputs } from '../../kernel/terminal-parameters.js';
import type { SaleInputs } from '../core/payment-core.js';
import { hostObjects, saleOf } from '../core/sale-inputs.js';
import { L3Error } from './l3-error.js';

/** PERFORM TRANSACTION as the device works with it. */
export interface SaleRequest {
  readonly sale: SaleInputs;
  readonly ways: ReadonlySet<PresentMode>;
  readonly timeoutMs: number;
  readonly forceOnline: boolean;
  /** The callbacks that the host requested. */
  readonly wants: (callback: keyof typeof CALLBACK_FLAGS) => boolean;
}

const WAYS: readonly (readonly [number, PresentMode])[] = [
  [CARD_WAYS.magstripe, 'swipe'],
  [CARD_WAYS.contact, 'insert'],
  [CARD_WAYS.contactless, 'tap'],
  [CARD_WAYS.manual, 'manual'],
];

/** Reads the request of a host. @throws L3Error param, tagAbsent */
export function saleRequest({ cardWays, timeoutSeconds, objects }: PerformRequest): SaleRequest {
  const ways = new Set(WAYS.filter(([bit]) => (cardWays & bit) !== 0).map(([, way]) => way));
  if (ways.size === 0 || timeoutSeconds === 0) throw new L3Error('param');
  const flags = findTlv(objects, TAGS.callbacks)?.[0] ?? 0;
  return {
    sale: saleOf(
      hostObjects(
        (tag) => findTlv(objects, tag),
        () => new L3Error('tagAbsent'),
      ),
    ),
    ways,
    timeoutMs: timeoutSeconds * 1_000,
    forceOnline: findTlv(objects, TAGS.forceOnline)?.[0] === 1,
    wants: (callback) => (flags & CALLBACK_FLAGS[callback]) !== 0,
  };
}

/** Terminal risk management as the host set it after the application was chosen; without it every transaction goes online. */
export function riskInputs(objects: readonly TlvNode[]): RiskInputs {
  const amount = (tag: string): number => Buffer.from(findTlv(objects, tag) ?? [0]).readUIntBE(0, 4);
  const percent = (tag: string): number => Number(Buffer.from(findTlv(objects, tag) ?? [0]).toString('hex'));
  const has = (tag: string): boolean => findTlv(objects, tag)?.length === 4;
  return {
    floorLimitMinor: has('9F1B') ? amount('9F1B') : 0,
    thresholdMinor: has(TAGS.randomThreshold) ? amount(TAGS.randomThreshold) : 0,
    targetPercent: percent(TAGS.randomTargetPercent),
    maxTargetPercent: percent(TAGS.randomMaxPercent),
  };
}
