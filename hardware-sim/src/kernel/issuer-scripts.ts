import { TSI, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { decodeResponse } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import type { TransactionData } from './transaction-data.js';

/** Commands of one script that a terminal carries out; the template's own limit is 128 bytes. */
const MAX_COMMANDS = 15;
const SUCCESSFUL = 0x20;
const FAILED = 0x10;
const SCRIPT_ID_BYTES = 4;

/**
 * Carries out the issuer's scripts of one template (EMV Book 3 §10.10): 71 before the second GENERATE AC, 72 behind.
 * @returns issuer script results, five bytes each: result and number of the failing command, script identifier
 */
export async function runIssuerScripts(
  card: Card,
  data: TransactionData,
  nodes: readonly TlvNode[],
  template: '71' | '72',
): Promise<Buffer> {
  const results: Buffer[] = [];
  for (const node of nodes) {
    if (node.tag !== template || !('children' in node)) continue;
    const failedAt = await runCommands(card, node.children);
    data.markTsi(TSI.scriptProcessingPerformed, `the issuer sent a script in template ${template}`);
    if (failedAt !== undefined) {
      data.markTvr(
        template === '71' ? TVR.scriptFailedBeforeFinalGenerateAc : TVR.scriptFailedAfterFinalGenerateAc,
        `the card refused command ${failedAt} of the script`,
      );
    }
    const result = failedAt === undefined ? SUCCESSFUL : FAILED | Math.min(failedAt, 15);
    results.push(Buffer.concat([Buffer.from([result]), scriptId(node.children)]));
  }
  return Buffer.concat(results);
}

/** The number of the command that failed, from 1; undefined when all went well. */
async function runCommands(card: Card, nodes: readonly TlvNode[]): Promise<number | undefined> {
  const commands = nodes.flatMap((node) => (node.tag === '86' && 'value' in node ? [node.value] : []));
  for (const [index, command] of commands.entries()) {
    if (index >= MAX_COMMANDS) return index + 1;
    const { sw } = decodeResponse(await card.transmit(command));
    const sw1 = sw >>> 8;
    if (sw1 !== 0x90 && sw1 !== 0x62 && sw1 !== 0x63) return index + 1;
  }
  return undefined;
}

/** Tag 9F18, zeros where the issuer gave none. */
function scriptId(nodes: readonly TlvNode[]): Buffer {
  const id = Buffer.alloc(SCRIPT_ID_BYTES);
  const node = nodes.find(({ tag }) => tag === '9F18');
  if (node && 'value' in node) Buffer.from(node.value).copy(id, 0, 0, SCRIPT_ID_BYTES);
  return id;
}
