import { FINAL_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { encodeTlv, findTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { FieldReader, FieldValues } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { formatFcxOption, parseFcxResult } from '@tillbridge/wire/terminals/abecs/results.js';
import type { CompleteOutcome, DriverProgress, EntryMode, OnlineResult } from '../core/driver.js';
import {
  cryptogramOf,
  finalOutcome,
  issuerData,
  NO_CERTIFICATE,
  readTlv,
  responseCodeForCard,
  tagList,
  withinTerminal,
} from '../core/emv-data.js';
import { andThen, attempt, isFailed, type Result } from '../core/result.js';
import { oneLine } from './display-text.js';
import { FINISH_CHIP_MS, SCRIPT_TAP_SECONDS } from './limits.js';
import type { AbecsLink } from './link.js';
import { answerOf } from './replies.js';

/** Longest SPE_EMVDATA (ABECS 2.12 §3.1.3.1). */
const MAX_ISSUER_DATA = 512;
function request(result: OnlineResult): Result<FieldValues> {
  const common: FieldValues = {
    SPE_FCXOPT: formatFcxOption(result.kind),
    SPE_TAGLIST: tagList(FINAL_TAGS),
    SPE_TIMEOUT: SCRIPT_TAP_SECONDS,
  };
  if (result.kind === 'unable-to-go-online') return common;
  const data = andThen(issuerData(result), (nodes) => withinTerminal(encodeTlv(nodes), MAX_ISSUER_DATA));
  return andThen(data, (bytes) => ({
    ...common,
    SPE_ARC: responseCodeForCard(result),
    ...(bytes.length > 0 && { SPE_EMVDATA: bytes }),
  }));
}

/**
 * A tap was decided at GOX: the device repeats the issuer's decision, with no objects or with those of GOX (captured answers). Where the
 * card decides, a chip or without an issuer, an approval is a certificate.
 */
function readResult(fields: FieldReader, cardDecides: boolean): CompleteOutcome {
  const kind = parseFcxResult(fields.text('PP_FCXRES') ?? '');
  const nodes = readTlv('PP_EMVDATA of FCX', fields.bytes('PP_EMVDATA') ?? Buffer.alloc(0));
  if (isFailed(nodes)) return nodes;
  if (kind === 'approved' && cardDecides && cryptogramOf(nodes) !== 'TC') return NO_CERTIFICATE;
  const scripts = fields.bytes('PP_ISRESULTS');
  const own = scripts && scripts.length > 0 && !findTlv(nodes, '9F5B') ? [tlv('9F5B', scripts)] : [];
  return finalOutcome(kind, [...nodes, ...own]);
}

/** The second cryptogram of a chip: TC or AAC (FCX, ABECS 2.12 §3.7.4); the end of a tap, which has none. */
export async function completeCard(
  link: AbecsLink,
  result: OnlineResult,
  entryMode: EntryMode,
  progress: (step: DriverProgress) => void,
): Promise<CompleteOutcome> {
  const values = request(result);
  if (isFailed(values)) return values;
  const cardDecides = entryMode === 'ICC' || result.kind === 'unable-to-go-online';
  const reply = await link.abecs('FCX', values, FINISH_CHIP_MS, (lines) =>
    progress({ step: 'message', text: oneLine(lines.join(' ')) }),
  );
  return andThen(answerOf('FCX', reply), ({ fields }) =>
    attempt('FCX', () => readResult(fields, cardDecides)),
  );
}
