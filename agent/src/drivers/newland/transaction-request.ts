import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { CallbackAnswer } from '@tillbridge/wire/terminals/newland/callbacks.js';
import { encodePerform } from '@tillbridge/wire/terminals/newland/perform.js';
import { ERRORS } from '@tillbridge/wire/terminals/newland/statuses.js';
import { CALLBACK_FLAGS, CARD_WAYS, KEY_SYSTEMS, TAGS } from '@tillbridge/wire/terminals/newland/tags.js';
import type { TerminalRisk } from '../core/driver.js';
import type { Sale } from '../core/maker-session.js';
import { binary4, numeric, otherAmount } from '../core/transaction-values.js';
import { KEY_SLOTS } from './device.js';
import { PIN_SECONDS } from './limits.js';

const EVERY_WAY = CARD_WAYS.magstripe | CARD_WAYS.contact | CARD_WAYS.contactless | CARD_WAYS.manual;
const WANTED = CALLBACK_FLAGS.notification | CALLBACK_FLAGS.afterFinalSelect | CALLBACK_FLAGS.getPin;
/** The settings behind the callbacks as the published host sends them. */
const CALLBACK_SETTINGS = Buffer.of(WANTED, 0x01, 0x00);
/** 0: the cardholder may skip the PIN. */
const PIN_LENGTHS = Buffer.of(0, 4, 5, 6, 7, 8, 9, 10, 11, 12);

/** Builds the data of PERFORM TRANSACTION. */
export function performData({ request, values }: Sale): Buffer {
  const objects: TlvNode[] = [
    tlv(TAGS.cardWays, Buffer.of(EVERY_WAY)),
    tlv('9F02', values.amount),
    ...otherAmount(values),
    tlv('9C', values.type),
    tlv('9A', values.date),
    tlv('9F21', values.time),
    tlv('5F2A', values.currency),
    tlv('9F41', values.sequence),
    ...(request.kind === 'preauthorization' ? [tlv(TAGS.forceOnline, Buffer.of(1))] : []),
    tlv(TAGS.callbacks, CALLBACK_SETTINGS),
  ];
  const timeoutSeconds = Math.max(1, Math.ceil(request.cardTimeoutMs / 1_000));
  return encodePerform({ cardWays: EVERY_WAY, timeoutSeconds, objects });
}

/** What the pad needs for a PIN; without a PIN key it requests none. */
export function pinTerms(online: boolean, pinReady: boolean): CallbackAnswer {
  if (online && !pinReady) return { result: ERRORS.skipPin.code, objects: [] };
  const key = [
    tlv(TAGS.pinKeySystem, Buffer.of(KEY_SYSTEMS.dukpt)),
    tlv(TAGS.pinKeySlot, Buffer.of(KEY_SLOTS.pin)),
  ];
  const terms = [tlv(TAGS.pinLengths, PIN_LENGTHS), tlv(TAGS.pinTimeout, Buffer.of(PIN_SECONDS))];
  return { result: 0, objects: [...(online ? key : []), ...terms] };
}

/**
 * Terminal risk management for the application that was chosen. The published host changes other objects of the
 * configuration in the same way; that these may be changed is from public sources incomplete.
 */
export function riskTerms(risk: TerminalRisk): CallbackAnswer {
  const percent = (value: number): Buffer => numeric(Math.min(99, Math.round(value)), 2);
  return {
    result: 0,
    objects: [
      tlv('9F1B', binary4(risk.floorLimitMinor)),
      tlv(TAGS.randomThreshold, binary4(risk.randomSelectionThresholdMinor)),
      tlv(TAGS.randomMaxPercent, percent(risk.randomSelectionMaxPercent)),
      tlv(TAGS.randomTargetPercent, percent(risk.randomSelectionTargetPercent)),
    ],
  };
}
