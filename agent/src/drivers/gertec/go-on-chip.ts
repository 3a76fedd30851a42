import { REQUEST_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import type { FieldReader } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { keyIndexText } from '@tillbridge/wire/terminals/abecs/key-map.js';
import { parseGoxResult } from '@tillbridge/wire/terminals/abecs/results.js';
import { encodeRiskParameters } from '@tillbridge/wire/terminals/abecs/risk-parameters.js';
import { statusOf } from '@tillbridge/wire/terminals/abecs/statuses.js';
import type { Enciphered, StartRequest } from '../core/driver.js';
import { cleanIccData, readTlv, tagList } from '../core/emv-data.js';
import { andThen, attempt, failed, hasEnded, isFailed, type Result, type SaleEnd } from '../core/result.js';
import { PIN_METHOD } from './card-data.js';
import { oneLine } from './display-text.js';
import { PIN_HANDLING_MS, PIN_TIMEOUT_SECONDS } from './limits.js';
import type { ReadCard } from './read-card.js';
import { answerOrEnd } from './replies.js';
import { type SaleContext, transactionFields } from './transaction-request.js';

/** What the first GENERATE AC gave. */
export interface ChipDecision {
  readonly kind: 'decision';
  readonly decision: 'approved-offline' | 'declined' | 'online';
  readonly iccData: Buffer;
  readonly pin?: Enciphered;
}

/** Text of the notification before a PIN entry begins with this word (ABECS 2.12 §6.8.6.1). */
const PIN_NOTIFICATION = /SENHA|PIN/;

function readDecision(fields: FieldReader): Result<ChipDecision> {
  const result = parseGoxResult(fields.text('PP_GOXRES') ?? '');
  const nodes = readTlv('PP_EMVDATA of GOX', fields.bytes('PP_EMVDATA') ?? Buffer.alloc(0));
  const iccData = andThen(nodes, cleanIccData);
  if (isFailed(iccData)) return iccData;
  const { decision } = result;
  if (result.pin !== 'captured-online') return { kind: 'decision', decision, iccData };
  const data = fields.bytes('PP_PINBLK');
  const ksn = fields.bytes('PP_KSN');
  if (!data || !ksn)
    return failed('protocol-error', 'GOX: a PIN was captured, PP_PINBLK or PP_KSN is missing');
  return { kind: 'decision', decision, iccData, pin: { data, ksn } };
}

function riskParameters({ risk }: StartRequest): Result<Buffer> {
  return attempt('SPE_TRMPAR', () =>
    encodeRiskParameters({
      floorLimitMinor: risk.floorLimitMinor,
      targetPercent: risk.randomSelectionTargetPercent,
      thresholdMinor: risk.randomSelectionThresholdMinor,
      maxTargetPercent: risk.randomSelectionMaxPercent,
    }),
  );
}

function watchPin(ctx: SaleContext): (lines: readonly [string, string]) => void {
  return (lines) => {
    const text = oneLine(lines.join(' '));
    if (PIN_NOTIFICATION.test(text)) ctx.hooks.progress({ step: 'pin-entry' });
    ctx.hooks.progress({ step: 'message', text });
  };
}

/** Runs the card up to the first cryptogram (GOX); `fallback` when its chip failed and the magstripe may be used. */
export async function goOnChip(
  ctx: SaleContext,
  card: ReadCard,
): Promise<ChipDecision | { readonly kind: 'fallback'; readonly status: number } | SaleEnd> {
  const { request, config } = ctx;
  const risk = riskParameters(request);
  if (isFailed(risk)) return risk;
  const reply = await ctx.link.abecs(
    'GOX',
    {
      SPE_ACQREF: card.acquirer ?? config.acquirer,
      ...transactionFields(ctx),
      SPE_GOXOPT: '00000',
      SPE_MTHDPIN: PIN_METHOD,
      SPE_KEYIDX: keyIndexText(config.pinKeyIndex),
      SPE_TRMPAR: risk,
      SPE_TAGLIST: tagList(REQUEST_TAGS),
      SPE_TIMEOUT: PIN_TIMEOUT_SECONDS,
    },
    PIN_HANDLING_MS,
    watchPin(ctx),
  );
  // Only 076 allows the magstripe here: the device counts no other fault of GOX as a failed chip (PP_ICCSTAT, §6.9.1.1).
  if (reply.kind === 'status' && statusOf(reply.status).name === 'ST_ERRFALLBACK')
    return { kind: 'fallback', status: reply.status };
  const answer = answerOrEnd('GOX', reply);
  return hasEnded(answer) ? answer : attempt('GOX', () => readDecision(answer.fields));
}
