import { encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import { ONLINE_RESULT, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { CompleteOutcome, OnlineResult } from '../core/driver.js';
import { finalOutcome, issuerData, responseCodeForCard, withinTerminal } from '../core/emv-data.js';
import { MAX_POS_FIELD_BYTES } from '../core/limits.js';
import { failed, isFailed, type Result } from '../core/result.js';
import { fetchTags } from './card-data.js';
import { COMPLETE_TIMEOUT_MS } from './limits.js';
import type { SdiLink } from './link.js';
import { type Answer, ask, statusFailure } from './replies.js';

const RESPONSE_CODE = '8A';
const SCRIPT_RESULTS = '9F5B';
/** Tag 89: the published traces send six zero bytes where the issuer gave no code. */
const NO_AUTHORIZATION_CODE = Buffer.alloc(6);
/** The kernel treats this response code as an approval without any configuration. */
const APPROVED = '00';

/** Gives the card the issuer's answer (CT or CTLS CONTINUE ONLINE). */
export async function completeSale(
  link: SdiLink,
  way: 'chip' | 'tap',
  result: OnlineResult,
): Promise<CompleteOutcome> {
  const data = issuerAnswer(result);
  if (isFailed(data)) return data;
  const command = way === 'chip' ? 'ctOnline' : 'ctlsOnline';
  const answer = await ask(link, command, { data, timeoutMs: COMPLETE_TIMEOUT_MS });
  if (isFailed(answer)) return answer;
  if (answer.hint !== 'approved' && answer.hint !== 'declined') return statusFailure(command, answer);
  if (way === 'chip' && !findTlv(answer.objects, '9F27'))
    return failed('protocol-error', 'CT CONTINUE ONLINE: the answer has no cryptogram');
  return finalOutcome(answer.hint, await finalObjects(link, answer));
}

function issuerAnswer(result: OnlineResult): Result<Buffer> {
  if (result.kind === 'unable-to-go-online')
    return encodeContainer([tlv(TAGS.onlineResult, Buffer.of(ONLINE_RESULT.failed))]);
  const data = withinTerminal(Buffer.from(result.issuerData), MAX_POS_FIELD_BYTES);
  if (isFailed(data)) return data;
  const nodes = issuerData(result);
  if (isFailed(nodes)) return nodes;
  const code = responseCodeForCard(result);
  const part = (tag: string, from: string): TlvNode[] => {
    const found = nodes.filter((node) => node.tag === from);
    return found.length === 0 ? [] : [tlv(tag, encodeTlv(found))];
  };
  const positive = result.kind === 'approved' && code !== APPROVED;
  return encodeContainer([
    tlv(TAGS.onlineResult, Buffer.of(ONLINE_RESULT.reached)),
    tlv(RESPONSE_CODE, Buffer.from(code, 'latin1')),
    ...part(TAGS.issuerAuthentication, '91'),
    tlv('89', NO_AUTHORIZATION_CODE),
    ...part(TAGS.criticalScripts, '71'),
    ...part(TAGS.uncriticalScripts, '72'),
    ...(positive ? [tlv(TAGS.positiveResponseCode, Buffer.from(code, 'latin1'))] : []),
  ]);
}

/**
 * The end as the card decided it. The response code needs a second question; the decision is valid without its answer.
 */
async function finalObjects(link: SdiLink, { objects }: Answer): Promise<readonly TlvNode[]> {
  const fetched = await fetchTags(link, [RESPONSE_CODE]);
  const code = isFailed(fetched) ? undefined : findTlv(fetched, RESPONSE_CODE);
  const scripts = [TAGS.criticalScriptResults, TAGS.uncriticalScriptResults].map(
    (tag) => findTlv(objects, tag) ?? Buffer.alloc(0),
  );
  const results = Buffer.concat(scripts);
  return [
    ...objects.filter(({ tag }) => tag !== RESPONSE_CODE),
    ...(code ? [tlv(RESPONSE_CODE, code)] : []),
    ...(results.length > 0 ? [tlv(SCRIPT_RESULTS, results)] : []),
  ];
}
