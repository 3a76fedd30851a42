import type { HintOf } from '@tillbridge/wire/terminals/code-table.js';
import { type CommandName, commandTitle } from '@tillbridge/wire/terminals/magtek/commands.js';
import { type STATUSES, statusOf, statusText } from '@tillbridge/wire/terminals/magtek/statuses.js';
import { andThen, failed, type Result } from '../core/result.js';
import { statusFailures } from '../core/status-failures.js';
import type { Reply } from './link.js';

const failureOf = statusFailures<HintOf<typeof STATUSES>>({
  'no-transaction': 'protocol-error',
  offline: 'key-missing',
});

/** What a response's status requires, or why there was none. */
export function hintOf(reply: Reply): Result<HintOf<typeof STATUSES>> {
  return andThen(reply, ({ status }) => statusOf(status).hint);
}

/** The parameters of a command that must succeed. */
export function parametersOf(command: CommandName, reply: Reply): Result<Buffer> {
  return andThen(reply, ({ status, parameters }) => {
    const { hint, meaning } = statusOf(status);
    if (hint === 'ok') return parameters;
    return failed(failureOf(hint), `${commandTitle(command)} answered ${statusText(status)}: ${meaning}`);
  });
}
