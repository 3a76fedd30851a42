import { MASKING_LOG_OPTIONS } from '@tillbridge/protocol/mask/log-options.js';
import { maskValue } from '@tillbridge/protocol/mask/mask.js';
import type { LogLevel } from '@tillbridge/protocol/platform/config/setting.js';
import { type Bindings, type DestinationStream, destination, type Logger, pino } from 'pino';
import { openLogFile } from './log-file.js';

/** The agent's logger: every text and object it takes is masked (P7). */
export type AgentLog = Logger;

/**
 * A masking logger. `target` is a file path (created with mode 0600), `stderr`, or a stream of the caller's.
 * A file that cannot be opened is replaced by stderr; when it cannot be written later, lines are lost and stderr says so
 * once: a log never stops a sale.
 */
export function createLog(level: LogLevel, target: string | DestinationStream): AgentLog {
  const log = pino(
    { name: 'tillbridge-agent', level, ...MASKING_LOG_OPTIONS },
    typeof target === 'string' ? openTarget(target) : target,
  );
  return maskChildren(log);
}

/** Children inherit everything but the formatter of bindings: what they are bound to is masked here. */
function maskChildren(log: Logger): AgentLog {
  const child = log.child;
  log.child = function maskedChild(this: Logger, bindings, options) {
    return child.call(this, maskValue(bindings) as Bindings, options);
  } as Logger['child'];
  return log;
}

function openTarget(target: string): DestinationStream {
  if (target === 'stderr') return standardError();
  try {
    return openLogFile(target, (error) => complain(target, error));
  } catch (error) {
    complain(target, error);
    return standardError();
  }
}

function standardError(): DestinationStream {
  return destination({ dest: 2, sync: true });
}

function complain(target: string, error: unknown): void {
  process.stderr.write(`log ${target}: ${error instanceof Error ? error.message : 'cannot be written'}\n`);
}
