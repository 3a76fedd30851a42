import { encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { encodeContainer } from '@tillbridge/protocol/terminals/verifone/messages.js';
import { ONLINE_RESULT, TAGS } from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { CompleteOutcome, OnlineResult } from '../core/driver.js';
import { cleanIccData, FINAL_TAGS, isTlv, readTlv } from '../core/emv-data.js';
import { responseCodeForCard } from '../core/issuer-answer.js';
import { MAX_POS_FIELD_BYTES } from '../core/limits.js';
import { type Failed, failed } from '../core/result.js';
import { fetchTags } from './card-data.js';
import { COMPLETE_TIMEOUT_MS } from './limits.js';
import { type Answer, ask, isFailed, statusFailure } from './replies.js';
import type { SdiClient } from './sdi-client.js';

const FINAL: ReadonlySet<string> = new Set(FINAL_TAGS);
const RESPONSE_CODE = '8A';
const SCRIPT_RESULTS = '9F5B';
/** Tag 89: the published traces send six zero bytes where the issuer gave no code. */
const NO_AUTHORIZATION_CODE = Buffer.alloc(6);
/** The response code that the kernel takes for an approval by itself. */
const APPROVED = '00';

/** Gives the card the issuer's answer (CT or CTLS CONTINUE ONLINE). */
export async function completeSale(
  client: SdiClient,
  way: 'chip' | 'tap',
  result: OnlineResult,
): Promise<CompleteOutcome> {
  const data = issuerAnswer(result);
  if (!Buffer.isBuffer(data)) return data;
  const command = way === 'chip' ? 'ctOnline' : 'ctlsOnline';
  const answer = await ask(client, command, { data, timeoutMs: COMPLETE_TIMEOUT_MS });
  if (answer.kind === 'failed') return answer;
  if (answer.hint !== 'approved' && answer.hint !== 'declined') return statusFailure(command, answer);
  if (way === 'chip' && !findTlv(answer.objects, '9F27'))
    return failed('protocol-error', 'CT CONTINUE ONLINE: the answer tells no cryptogram');
  const iccData = await finalData(client, answer);
  return 'kind' in iccData ? iccData : { kind: answer.hint, iccData };
}

function issuerAnswer(result: OnlineResult): Buffer | Failed {
  if (result.kind === 'unable-to-go-online')
    return encodeContainer([tlv(TAGS.onlineResult, Buffer.of(ONLINE_RESULT.failed))]);
  const { length } = result.issuerData;
  if (length > MAX_POS_FIELD_BYTES)
    return failed('data-too-long', `issuer data of ${length} bytes, at most ${MAX_POS_FIELD_BYTES}`);
  const nodes = readTlv('the issuer data', result.issuerData);
  if (!isTlv(nodes)) return nodes;
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
 * The end as the card decided it. The response code is asked for apart; where it cannot be told, the decision stands all the
 * same.
 */
async function finalData(client: SdiClient, { objects }: Answer): Promise<Buffer | Failed> {
  const fetched = await fetchTags(client, [RESPONSE_CODE]);
  const code = isFailed(fetched) ? undefined : findTlv(fetched, RESPONSE_CODE);
  const scripts = [TAGS.criticalScriptResults, TAGS.uncriticalScriptResults].map(
    (tag) => findTlv(objects, tag) ?? Buffer.alloc(0),
  );
  const results = Buffer.concat(scripts);
  return cleanIccData([
    ...objects.filter(({ tag }) => FINAL.has(tag) && tag !== RESPONSE_CODE),
    ...(code ? [tlv(RESPONSE_CODE, code)] : []),
    ...(results.length > 0 ? [tlv(SCRIPT_RESULTS, results)] : []),
  ]);
}
