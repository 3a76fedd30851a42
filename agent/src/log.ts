import { MASKING_LOG_OPTIONS } from '@tillbridge/protocol/mask/log-options.js';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** The agent's logger: every text and object it takes is masked (P7). */
export type AgentLog = Logger;

/** How much is logged. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * A masking logger. `target` is a file path (created with mode 0600), `stderr`, or a stream of the caller's.
 * A file that cannot be opened is replaced by stderr; when it cannot be written later, lines are lost and stderr says so
 * once: a log never stops a sale.
 */
export function createLog(level: LogLevel, target: string | DestinationStream): AgentLog {
  return pino(
    { name: 'tillbridge-agent', level, ...MASKING_LOG_OPTIONS },
    typeof target === 'string' ? openTarget(target) : target,
  );
}

function openTarget(target: string): DestinationStream {
  if (target === 'stderr') return standardError();
  try {
    const file = destination({ dest: target, mode: 0o600, sync: true });
    let complained = false;
    file.on('error', (error: Error) => {
      if (!complained) complain(target, error);
      complained = true;
    });
    return file;
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
