import { FINAL_TAGS } from '@tillbridge/protocol/emv/tag-lists.js';
import { encodeTlv } from '@tillbridge/protocol/emv/tlv.js';
import { MAX_DATA_BYTES } from '@tillbridge/protocol/terminals/newland/frame.js';
import { decodeCompleteAnswer, encodeComplete } from '@tillbridge/protocol/terminals/newland/perform.js';
import { resultName } from '@tillbridge/protocol/terminals/newland/statuses.js';
import type { CompleteOutcome, OnlineResult } from '../core/driver.js';
import { finalOutcome, issuerObjects, withinTerminal } from '../core/emv-data.js';
import { attempt, isFailed, type Result } from '../core/result.js';
import { getTlvList } from './card-data.js';
import { COMPLETE_TIMEOUT_MS } from './limits.js';
import { level3, type NewlandLink } from './link.js';
import { dataOf, l3Failure } from './replies.js';

const WHAT = 'COMPLETE TRANSACTION';
/** What function 32 has beside the issuer's objects: type, separator, function, result, length. */
const COMPLETE_OVERHEAD_BYTES = 16;

/** The second cryptogram of a chip (function 32). */
export async function completeChip(link: NewlandLink, result: OnlineResult): Promise<CompleteOutcome> {
  const data = issuerAnswer(result);
  if (isFailed(data)) return data;
  const reply = await link.execute(level3('complete', data), COMPLETE_TIMEOUT_MS);
  const bytes = dataOf(WHAT, reply);
  if (isFailed(bytes)) return bytes;
  const answer = attempt(WHAT, () => decodeCompleteAnswer(bytes));
  if (isFailed(answer)) return answer;
  const kind = resultName(answer.result);
  if (kind !== 'approved' && kind !== 'declined') return l3Failure(WHAT, answer.error);
  const nodes = await getTlvList(link, FINAL_TAGS);
  return isFailed(nodes) ? nodes : finalOutcome(kind, nodes);
}

/** Response code, authentication data, scripts; nothing when nobody could be reached. */
function issuerAnswer(result: OnlineResult): Result<Buffer> {
  if (result.kind === 'unable-to-go-online') return encodeComplete({ online: false, objects: [] });
  const objects = issuerObjects(result);
  if (isFailed(objects)) return objects;
  const room = withinTerminal(encodeTlv(objects), MAX_DATA_BYTES - COMPLETE_OVERHEAD_BYTES);
  return isFailed(room) ? room : encodeComplete({ online: true, objects });
}
