import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { MAX_COMMAND_DATA } from '@tillbridge/wire/terminals/miura/commands.js';
import { TEMPLATES } from '@tillbridge/wire/terminals/miura/tags.js';
import type { CompleteOutcome, OnlineResult } from '../core/driver.js';
import { finalOutcome, issuerObjects, readTlv, withinTerminal } from '../core/emv-data.js';
import { andThen, failed, isFailed } from '../core/result.js';
import { templateOf } from './card-watch.js';
import { CONTINUE_TIMEOUT_MS } from './limits.js';
import type { MiuraLink } from './link.js';
import { dataOf } from './replies.js';

/**
 * Tag 8A where the issuer was not reached. MPI defines no code for it, and its published host declines with another code
 * (from public sources incomplete). With this code the card declines.
 */
const UNABLE_TO_GO_ONLINE = 'Z3';

/** The second cryptogram of a chip or a tap (CONTINUE TRANSACTION). */
export async function completeChip(link: MiuraLink, result: OnlineResult): Promise<CompleteOutcome> {
  const data = andThen(issuerObjects(result, UNABLE_TO_GO_ONLINE), (objects) =>
    withinTerminal(encodeTlv([tlv(TEMPLATES.commandData, objects)]), MAX_COMMAND_DATA),
  );
  if (isFailed(data)) return data;
  const reply = await link.execute({ command: 'continue', p1: 0, p2: 0, data }, CONTINUE_TIMEOUT_MS);
  return andThen(dataOf('continue', reply), finalDecision);
}

function finalDecision(answer: Buffer): CompleteOutcome {
  const nodes = readTlv('CONTINUE TRANSACTION', answer);
  if (isFailed(nodes)) return nodes;
  const template = templateOf(nodes);
  if (template?.tag !== TEMPLATES.approved && template?.tag !== TEMPLATES.declined) {
    return failed('protocol-error', 'CONTINUE TRANSACTION: the terminal answered with no known decision');
  }
  return finalOutcome(template.tag === TEMPLATES.approved ? 'approved' : 'declined', template.objects);
}
