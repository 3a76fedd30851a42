import { FINAL_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { encodeTlv } from '@tillbridge/wire/emv/tlv.js';
import { resultOf, statusOf } from '@tillbridge/wire/terminals/idtech/statuses.js';
import { decodeTransactionAnswer, resultCode } from '@tillbridge/wire/terminals/idtech/transaction-answer.js';
import type { CompleteOutcome, OnlineResult } from '../core/driver.js';
import { cryptogramOf, finalOutcome, issuerObjects, NO_CERTIFICATE } from '../core/emv-data.js';
import { andThen, failed, isFailed, type Result } from '../core/result.js';
import { plainNodes } from './card-data.js';
import { COMPLETE_TIMEOUT_MS } from './limits.js';
import type { NeoLink } from './link.js';
import { reading, resultEnd, statusFailure } from './replies.js';
import { outputTagBytes } from './transaction-request.js';

const REACHED = Buffer.of(0x01);
const NOT_REACHED = Buffer.of(0x00);

/**
 * Data of APPLY HOST RESPONSE: whether the host was reached; response code, authentication data, scripts. That a zero
 * stands alone, and lets the card decide, is known from the maker's published tests.
 */
function hostResponse(result: OnlineResult): Result<Buffer> {
  if (result.kind === 'unable-to-go-online') return NOT_REACHED;
  return andThen(issuerObjects(result), (objects) =>
    Buffer.concat([REACHED, encodeTlv(objects), outputTagBytes(FINAL_TAGS)]),
  );
}

/** The second cryptogram of a chip (60-12). */
export async function completeChip(link: NeoLink, result: OnlineResult): Promise<CompleteOutcome> {
  const data = hostResponse(result);
  if (isFailed(data)) return data;
  const reply = await link.execute('applyHostResponse', data, COMPLETE_TIMEOUT_MS);
  if (isFailed(reply)) return reply;
  if (reply.kind === 'cancelled') return failed('internal', 'the transaction was cancelled');
  const { hint } = statusOf(reply.status);
  if (hint !== 'ok' && hint !== 'failed') return statusFailure('applyHostResponse', reply.status);
  return finalDecision(reply.data);
}

function finalDecision(data: Buffer): CompleteOutcome {
  const answer = reading('applyHostResponse', () => decodeTransactionAnswer(data));
  if (isFailed(answer)) return answer;
  const code = resultCode(answer);
  if (code === undefined) return failed('protocol-error', 'the terminal answered without a result');
  const { hint } = resultOf(code);
  if (hint !== 'approved' && hint !== 'declined') {
    const end = resultEnd('applyHostResponse', code, false);
    return isFailed(end) ? end : failed('internal', 'the terminal gave up the transaction');
  }
  const nodes = plainNodes(answer.objects);
  if (hint === 'approved' && cryptogramOf(nodes) !== 'TC') return NO_CERTIFICATE;
  return finalOutcome(hint, nodes);
}
