import { CARD_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { displayMessage } from '@tillbridge/wire/terminals/abecs/classic.js';
import type { FieldReader } from '@tillbridge/wire/terminals/abecs/field-values.js';
import {
  type CardType,
  type IccStatus,
  parseAidTableInfo,
  parseCardType,
  parseIccStatus,
} from '@tillbridge/wire/terminals/abecs/results.js';
import { formatPanMask, readIncompleteTrack2 } from '@tillbridge/wire/terminals/abecs/tracks.js';
import {
  type CardAsk,
  type CardNext,
  type CardTrouble,
  nextAsk,
  swipedAs,
  TOO_MANY_ATTEMPTS,
} from '../core/card-attempts.js';
import { cardFacts, known, type OpenAccount } from '../core/card-data.js';
import type { CardFacts, StartOutcome } from '../core/driver.js';
import { readTlv, tagList } from '../core/emv-data.js';
import { attempt, hasEnded, isFailed, type Result, type SaleEnd } from '../core/result.js';
import { entryModeOf, troubleOf } from './card-status.js';
import { oneLine, PROMPT_TEXTS, REMOVE_FOR_SWIPE } from './display-text.js';
import { CARD_HANDLING_MS, MAX_CARD_TIMEOUT_SECONDS, REMOVE_CARD_MS } from './limits.js';
import type { Reply } from './link.js';
import { answerOrEnd, cardholderEnd } from './replies.js';
import { type SaleContext, transactionFields } from './transaction-request.js';

/** A card that GCX read. */
export interface ReadCard {
  readonly kind: 'card';
  readonly type: CardType;
  readonly facts: CardFacts;
  readonly hasTrack2: boolean;
  readonly serviceCode: string | undefined;
  readonly iccStatus: IccStatus | undefined;
  /** SPE_ACQREF for GOX; undefined for a magnetic stripe. */
  readonly acquirer: string | undefined;
}

/** Open digits of a masked PAN (SPE_PANMASK, ABECS 2.12 §5.4.1): what `card.bin` and `card.last4Digits` need. */
const PAN_MASK = { left: 6, right: 4 } as const;
/** Of a shorter PAN the open digits would be almost all. */
const FEWEST_DIGITS = 12;

/** The first and last digits, as far as the device left them open; none of a PAN too short to be masked. */
function openDigits(maskedPan: string): OpenAccount {
  const digits = maskedPan.replaceAll(' ', '');
  if (digits.length < FEWEST_DIGITS) return {};
  return known({ bin: /^\d{6}/.exec(digits)?.[0], last4Digits: /\d{4}$/.exec(digits)?.[0] });
}

function readAnswer({ config }: SaleContext, fields: FieldReader): Result<ReadCard> {
  const type = parseCardType(fields.text('PP_CARDTYPE') ?? '');
  const statusText = fields.text('PP_ICCSTAT');
  const iccStatus = statusText === undefined ? undefined : parseIccStatus(statusText);
  const track2 = fields.text('PP_TRK2INC');
  const track = track2 === undefined ? undefined : readIncompleteTrack2(track2);
  const nodes = readTlv('PP_EMVDATA of GCX', fields.bytes('PP_EMVDATA') ?? Buffer.alloc(0));
  if (isFailed(nodes)) return nodes;
  const info = fields.text('PP_AIDTABINFO');
  const records = info === undefined ? [] : parseAidTableInfo(info);
  const account = {
    ...openDigits(fields.text('PP_PAN') ?? track?.maskedPan ?? ''),
    ...known({ expiry: (fields.text('PP_CARDEXP')?.slice(0, 4) ?? track?.expiry) || undefined }),
  };
  const own = {
    panSequenceNumber: fields.text('PP_PANSEQNO') || undefined,
    label: fields.text('PP_LABEL')?.trim() || undefined,
  };
  return {
    kind: 'card',
    type,
    facts: { ...cardFacts(entryModeOf(type, iccStatus, track?.serviceCode), account, nodes), ...known(own) },
    hasTrack2: track2 !== undefined,
    serviceCode: track?.serviceCode,
    iccStatus,
    acquirer: (records.find(({ acquirer }) => acquirer === config.acquirer) ?? records[0])?.acquirer,
  };
}

/** Reads the notifications of GCX: the choice of application means that a card is there. */
function watchCard(ctx: SaleContext): (lines: readonly [string, string]) => void {
  return (lines) => {
    ctx.hooks.progress({ step: 'reading-card' });
    ctx.hooks.progress({ step: 'message', text: oneLine(lines.join(' ')) });
  };
}

function sendGcx(ctx: SaleContext, { contactless, prompt }: CardAsk): Promise<Reply> {
  const { request } = ctx;
  const seconds = Math.min(MAX_CARD_TIMEOUT_SECONDS, Math.max(1, Math.ceil(request.cardTimeoutMs / 1_000)));
  return ctx.link.abecs(
    'GCX',
    {
      ...transactionFields(ctx),
      SPE_TRNDATE: request.date,
      SPE_TRNTIME: request.time,
      SPE_GCXOPT: contactless ? '10000' : '00000',
      SPE_PANMASK: formatPanMask(PAN_MASK),
      SPE_TAGLIST: tagList(CARD_TAGS),
      SPE_TIMEOUT: seconds,
      ...(prompt !== 'present' && { SPE_DSPMSG: PROMPT_TEXTS[prompt] }),
    },
    seconds * 1_000 + CARD_HANDLING_MS,
    watchCard(ctx),
  );
}

/**
 * Why a card that GCX gave may not be used. A chip card is swiped only after its chip failed, which the device reports
 * (PP_ICCSTAT, ABECS 2.12 §3.7.1).
 */
function troubleWith({ config }: SaleContext, card: ReadCard): CardTrouble | undefined {
  if (card.type !== 'magstripe') return undefined;
  if (!card.hasTrack2) return 'magstripe-unreadable';
  const chipFailed = card.iccStatus === 'fallback-allowed' && config.magstripeFallback;
  return swipedAs(card.serviceCode, chipFailed) ? undefined : 'chip-first';
}

/** A card whose chip failed must leave the slot before it can be swiped; GCX would read the chip again. */
async function clearSlot({ link, hooks }: SaleContext): Promise<SaleEnd | undefined> {
  hooks.progress({ step: 'remove-card' });
  const message = { RMC_MSG: displayMessage(...REMOVE_FOR_SWIPE) };
  const removed = answerOrEnd('RMC', await link.classic('RMC', message, REMOVE_CARD_MS));
  return hasEnded(removed) ? removed : undefined;
}

/** Prompts for a card once: the card, how the sale ended, or the next request. */
export async function readCard(ctx: SaleContext, ask: CardAsk): Promise<ReadCard | StartOutcome | CardNext> {
  const { hooks } = ctx;
  const { prompt } = ask;
  if (prompt !== 'present') hooks.progress({ step: 'message', text: oneLine(PROMPT_TEXTS[prompt]) });
  const problem = prompt === 'remove-and-swipe' ? await clearSlot(ctx) : undefined;
  if (problem) return problem;
  hooks.progress({ step: 'waiting-for-card' });
  const reply = await sendGcx(ctx, ask);
  const next = (trouble: CardTrouble | undefined, end: SaleEnd): CardNext | SaleEnd => {
    const followed = trouble && nextAsk(ask, trouble, ctx.config.magstripeFallback);
    return followed?.kind === 'again' ? followed : end;
  };
  if (reply.kind === 'status') return next(troubleOf(reply.status), cardholderEnd('GCX', reply.status));
  const answer = answerOrEnd('GCX', reply);
  if (hasEnded(answer)) return answer;
  const card = attempt('GCX', () => readAnswer(ctx, answer.fields));
  if (isFailed(card)) return card;
  const trouble = troubleWith(ctx, card);
  return trouble ? next(trouble, TOO_MANY_ATTEMPTS) : card;
}
