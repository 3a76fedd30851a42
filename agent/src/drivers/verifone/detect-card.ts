import { findTlv, type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { detectionTime, TIME_TIMES_TEN } from '@tillbridge/protocol/terminals/verifone/commands.js';
import { encodeContainer } from '@tillbridge/protocol/terminals/verifone/messages.js';
import { SKIP_VERIFICATION_CODE, TAGS, TECHNOLOGY } from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { StartOutcome } from '../core/driver.js';
import { type Failed, failed, STOPPED_BY_TILL } from '../core/result.js';
import { showText } from './device.js';
import { KEY_ENTRY_MS } from './limits.js';
import { type Answer, ask as askDevice, statusFailure } from './replies.js';
import type { Ask, ReadContext } from './sale-context.js';

/** How a card was given, or why none was. */
export type Given =
  | { readonly kind: 'given'; readonly technology: number; readonly objects: readonly TlvNode[] }
  | StartOutcome;

const YES = Buffer.of(0x01);

/** Asks for a card in every way that is wanted, and waits for one. */
export async function detectCard(ctx: ReadContext, ask: Ask, leftMs: number): Promise<Given> {
  const { client, hooks } = ctx;
  if (hooks.stopped()) return STOPPED_BY_TILL;
  hooks.progress({ step: 'waiting-for-card' });
  const antenna = (ask.technologies & TECHNOLOGY.tap) !== 0 ? await setUpTap(ctx) : false;
  if (typeof antenna !== 'boolean') return antenna;
  const technologies = antenna ? ask.technologies : ask.technologies & ~TECHNOLOGY.tap;
  const hidden = await showText(client, ask.prompt, true);
  if (hidden) return hidden;
  if (hooks.stopped()) return STOPPED_BY_TILL;
  const detected = await waitForCard(ctx, technologies, leftMs);
  if (detected.kind === 'failed') return detected;
  const given = givenBy(detected, technologies, hooks.stopped());
  if (!antenna || (given.kind === 'given' && given.technology === TECHNOLOGY.tap)) return given;
  // A transaction that was set up and got no tap must be broken off before the next one (EMV guide, contactless).
  const broken = await askDevice(client, 'ctlsBreak');
  return broken.kind === 'failed' ? broken : given;
}

/** @returns whether taps can be taken for this sale */
async function setUpTap({ client, built }: ReadContext): Promise<boolean | Failed> {
  const setup = await askDevice(client, 'ctlsSetup', { data: built.contactless });
  if (setup.kind === 'failed') return setup;
  if (setup.hint === 'no-contactless') return false;
  return setup.hint === 'ok' ? true : statusFailure('ctlsSetup', setup);
}

function waitForCard(
  { client }: ReadContext,
  technologies: number,
  leftMs: number,
): Promise<Answer | Failed> {
  const { p2, timesTen } = detectionTime(leftMs);
  const data = encodeContainer([
    tlv(TAGS.technology, Buffer.of(technologies)),
    tlv(TAGS.stopByDialog, YES),
    ...(timesTen ? [tlv(TAGS.timesTen, Buffer.of(TIME_TIMES_TEN))] : []),
    tlv(TAGS.skipEntry, Buffer.of(SKIP_VERIFICATION_CODE)),
  ]);
  return askDevice(client, 'cardDetection', { p2, data, timeoutMs: leftMs + KEY_ENTRY_MS });
}

function givenBy(answer: Answer, technologies: number, stopped: boolean): Given {
  switch (answer.hint) {
    case 'ok': {
      const technology = findTlv(answer.objects, TAGS.technology)?.[0] ?? 0;
      if ((technology & technologies) !== 0 && isOne(technology))
        return { kind: 'given', technology, objects: answer.objects };
      return failed('protocol-error', 'CARD DETECTION: the answer tells no card that was asked for');
    }
    case 'cancelled':
      return { kind: 'cancelled', by: 'cardholder' };
    case 'timed-out':
      return { kind: 'cancelled', by: 'timeout' };
    case 'aborted':
      return stopped ? STOPPED_BY_TILL : statusFailure('cardDetection', answer);
    default:
      return statusFailure('cardDetection', answer);
  }
}

function isOne(bits: number): boolean {
  return bits !== 0 && (bits & (bits - 1)) === 0;
}
