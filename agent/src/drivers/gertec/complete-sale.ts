import { encodeTlv, findTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import type { FieldReader, FieldValues } from '@tillbridge/protocol/terminals/abecs/field-values.js';
import { formatFcxOption, parseFcxResult } from '@tillbridge/protocol/terminals/abecs/results.js';
import type { CompleteOutcome, DriverProgress, OnlineResult } from '../core/driver.js';
import { cleanIccData, FINAL_TAGS, ISSUER_TAGS, isTlv, readTlv, tagList } from '../core/emv-data.js';
import { responseCodeForCard } from '../core/issuer-answer.js';
import { type Failed, failed } from '../core/result.js';
import { type CommandClient, decoding } from './command-client.js';
import { oneLine } from './display-text.js';
import { FINISH_CHIP_MS, SCRIPT_TAP_SECONDS } from './limits.js';
import { statusFailure } from './replies.js';

/** Longest SPE_EMVDATA (ABECS 2.12 §3.1.3.1). */
const MAX_ISSUER_DATA = 512;
/** 91, 71 and 72 of the issuer's answer, in its order. */
function issuerData(bytes: Uint8Array): Buffer | Failed {
  const nodes = readTlv('the issuer data', bytes);
  if (!isTlv(nodes)) return nodes;
  const data = encodeTlv(nodes.filter(({ tag }) => ISSUER_TAGS.has(tag)));
  if (data.length <= MAX_ISSUER_DATA) return data;
  return failed(
    'data-too-long',
    `issuer data of ${data.length} bytes, the terminal takes ${MAX_ISSUER_DATA}`,
  );
}

function request(result: OnlineResult): FieldValues | Failed {
  const common: FieldValues = {
    SPE_FCXOPT: formatFcxOption(result.kind),
    SPE_TAGLIST: tagList(FINAL_TAGS),
    SPE_TIMEOUT: SCRIPT_TAP_SECONDS,
  };
  if (result.kind === 'unable-to-go-online') return common;
  const data = issuerData(result.issuerData);
  if ('kind' in data) return data;
  return {
    ...common,
    SPE_ARC: responseCodeForCard(result),
    ...(data.length > 0 && { SPE_EMVDATA: data }),
  };
}

function readResult(fields: FieldReader): CompleteOutcome {
  const kind = parseFcxResult(fields.text('PP_FCXRES') ?? '');
  const nodes = readTlv('PP_EMVDATA of FCX', fields.bytes('PP_EMVDATA') ?? Buffer.alloc(0));
  if (!isTlv(nodes)) return nodes;
  const scripts = fields.bytes('PP_ISRESULTS');
  const own = scripts && scripts.length > 0 && !findTlv(nodes, '9F5B') ? [tlv('9F5B', scripts)] : [];
  const iccData = cleanIccData([...nodes, ...own]);
  return 'kind' in iccData ? iccData : { kind, iccData };
}

/** The second cryptogram of a chip: TC or AAC (FCX, ABECS 2.12 §3.7.4). */
export async function completeChip(
  client: CommandClient,
  result: OnlineResult,
  progress: (step: DriverProgress) => void,
): Promise<CompleteOutcome> {
  const values = request(result);
  if ('kind' in values) return values;
  const reply = await client.abecs('FCX', values, FINISH_CHIP_MS, (lines) =>
    progress({ step: 'message', text: oneLine(lines.join(' ')) }),
  );
  if (reply.kind === 'failed') return reply;
  if (reply.kind === 'cancelled') return failed('internal', 'FCX was cancelled');
  if (reply.kind === 'status') return statusFailure('FCX', reply.status);
  return decoding('FCX', () => readResult(reply.fields));
}
