import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { HintOf } from '@tillbridge/wire/terminals/code-table.js';
import { COMMANDS, type CommandName } from '@tillbridge/wire/terminals/miura/commands.js';
import { type STATUSES, statusOf } from '@tillbridge/wire/terminals/miura/statuses.js';
import { TEMPLATES } from '@tillbridge/wire/terminals/miura/tags.js';
import { readTlv } from '../core/emv-data.js';
import { andThen, type Failed, failed, type Result } from '../core/result.js';
import { statusFailures } from '../core/status-failures.js';
import type { Reply } from './link.js';

const failureOf = statusFailures<HintOf<typeof STATUSES>>();

/** What an error status means where nothing else follows from it. */
export function statusFailure(command: CommandName, sw: number): Failed {
  const { hint, meaning } = statusOf(sw);
  const code = sw.toString(16).toUpperCase().padStart(4, '0');
  return failed(failureOf(hint), `${COMMANDS[command].name} answered ${code}: ${meaning}`);
}

/** The data of a command that must succeed. */
export function dataOf(command: CommandName, reply: Reply): Result<Buffer> {
  return andThen(reply, ({ data, sw }) => (statusOf(sw).hint === 'ok' ? data : statusFailure(command, sw)));
}

/** The objects of a command that must succeed, with or without the template E1. */
export function objectsOf(command: CommandName, reply: Reply): Result<readonly TlvNode[]> {
  const nodes = andThen(dataOf(command, reply), (data) => readTlv(COMMANDS[command].name, data));
  return andThen(nodes, (all) =>
    all.flatMap((node) =>
      node.tag === TEMPLATES.responseData && 'children' in node ? node.children : [node],
    ),
  );
}
