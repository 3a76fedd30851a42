import { FINAL_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { encodeTlv } from '@tillbridge/wire/emv/tlv.js';
import { MAX_DATA_BYTES } from '@tillbridge/wire/terminals/newland/frame.js';
import { decodeCompleteAnswer, encodeComplete } from '@tillbridge/wire/terminals/newland/perform.js';
import { resultName } from '@tillbridge/wire/terminals/newland/statuses.js';
import type { CompleteOutcome, OnlineResult } from '../core/driver.js';
import { finalOutcome, issuerObjects, withinTerminal } from '../core/emv-data.js';
import { andThen, isFailed, type Result } from '../core/result.js';
import { getTlvList } from './card-data.js';
import { COMPLETE_TIMEOUT_MS } from './limits.js';
import { level3, type NewlandLink } from './link.js';
import { ask, l3Failure } from './replies.js';

/** What function 32 has in addition to the issuer's objects: type, separator, function, result, length. */
const COMPLETE_OVERHEAD_BYTES = 16;

/** The second cryptogram of a chip (function 32). */
export async function completeChip(link: NewlandLink, result: OnlineResult): Promise<CompleteOutcome> {
  const data = issuerAnswer(result);
  if (isFailed(data)) return data;
  const complete = level3('complete', data);
  const answer = await ask(link, complete, decodeCompleteAnswer, COMPLETE_TIMEOUT_MS);
  if (isFailed(answer)) return answer;
  const kind = resultName(answer.result);
  if (kind !== 'approved' && kind !== 'declined') return l3Failure(complete.name, answer.error);
  return andThen(await getTlvList(link, FINAL_TAGS), (nodes) => finalOutcome(kind, nodes));
}

/** Response code, authentication data, scripts; nothing when the issuer was not reached. */
function issuerAnswer(result: OnlineResult): Result<Buffer> {
  if (result.kind === 'unable-to-go-online') return encodeComplete({ online: false, objects: [] });
  return andThen(issuerObjects(result), (objects) =>
    andThen(withinTerminal(encodeTlv(objects), MAX_DATA_BYTES - COMPLETE_OVERHEAD_BYTES), () =>
      encodeComplete({ online: true, objects }),
    ),
  );
}
