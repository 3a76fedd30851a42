import { findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { detectionTime, TIME_TIMES_TEN } from '@tillbridge/wire/terminals/verifone/commands.js';
import { encodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import { SKIP_VERIFICATION_CODE, TAGS, TECHNOLOGY } from '@tillbridge/wire/terminals/verifone/tags.js';
import { CARD_PROMPTS, type CardAsk } from '../core/card-attempts.js';
import type { StartOutcome } from '../core/driver.js';
import { failed, isFailed, type Result, STOPPED_BY_TILL } from '../core/result.js';
import { showText } from './device.js';
import { KEY_ENTRY_MS } from './limits.js';
import type { SdiLink } from './link.js';
import { type Answer, ask, statusFailure, waitEnd } from './replies.js';
import type { ReadContext } from './sale-context.js';

/** How a card was given, or why none was. */
export type Given =
  | { readonly kind: 'given'; readonly technology: number; readonly objects: readonly TlvNode[] }
  | StartOutcome;

const YES = Buffer.of(0x01);
const { chip, magstripe, tap, manual } = TECHNOLOGY;

/** Bits of DFA108: the ways in which a card may be given. */
function technologiesOf({ fallback, prompt }: CardAsk, antenna: boolean): number {
  if (fallback) return magstripe;
  return prompt === 'insert-chip' ? chip : chip | magstripe | manual | (antenna ? tap : 0);
}

/** Prompts for a card in every way that is wanted, and waits for one. */
export async function detectCard(ctx: ReadContext, wanted: CardAsk): Promise<Given> {
  const { link, hooks } = ctx;
  hooks.progress({ step: 'waiting-for-card' });
  const antenna = wanted.contactless && (await hasAntenna(link, 'ctlsSetup', ctx.built.contactless));
  if (isFailed(antenna)) return antenna;
  const technologies = technologiesOf(wanted, antenna);
  const hidden = await showText(link, CARD_PROMPTS[wanted.prompt], true);
  if (hidden) return hidden;
  if (hooks.stopped()) return STOPPED_BY_TILL;
  const detected = await waitForCard(ctx, technologies);
  if (isFailed(detected)) return detected;
  const given = givenBy(detected, technologies, hooks.stopped());
  if (!antenna || (given.kind === 'given' && given.technology === tap)) return given;
  // A transaction that was set up and got no tap must be broken off before the next one (EMV guide, contactless).
  const broken = await ask(link, 'ctlsBreak');
  return isFailed(broken) ? broken : given;
}

/** Sends a command of the contactless kernel. @returns whether the device has an antenna */
export async function hasAntenna(
  link: SdiLink,
  command: 'ctlsInit' | 'ctlsSetup',
  data?: Buffer,
): Promise<Result<boolean>> {
  const answer = await ask(link, command, data && { data });
  if (isFailed(answer)) return answer;
  if (answer.hint === 'no-contactless') return false;
  return answer.hint === 'ok' ? true : statusFailure(command, answer);
}

function waitForCard({ link, hooks }: ReadContext, technologies: number): Promise<Result<Answer>> {
  const leftMs = hooks.leftMs();
  const { p2, timesTen } = detectionTime(leftMs);
  const data = encodeContainer([
    tlv(TAGS.technology, Buffer.of(technologies)),
    tlv(TAGS.stopByDialog, YES),
    ...(timesTen ? [tlv(TAGS.timesTen, Buffer.of(TIME_TIMES_TEN))] : []),
    tlv(TAGS.skipEntry, Buffer.of(SKIP_VERIFICATION_CODE)),
  ]);
  return ask(link, 'cardDetection', { p2, data, timeoutMs: leftMs + KEY_ENTRY_MS });
}

function givenBy(answer: Answer, technologies: number, stopped: boolean): Given {
  if (answer.hint !== 'ok') return waitEnd('cardDetection', answer, stopped);
  const technology = findTlv(answer.objects, TAGS.technology)?.[0] ?? 0;
  if ((technology & technologies) !== 0 && isOne(technology))
    return { kind: 'given', technology, objects: answer.objects };
  return failed('protocol-error', 'CARD DETECTION: the answer names no card of the requested kinds');
}

function isOne(bits: number): boolean {
  return bits !== 0 && (bits & (bits - 1)) === 0;
}
