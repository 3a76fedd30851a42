import { MASKING_LOG_OPTIONS } from '@tillbridge/protocol/mask/log-options.js';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** The agent's logger: every text and object it takes is masked (P7). */
export type AgentLog = Logger;

/** How much is logged. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * A masking logger. `target` is a file path (created with mode 0600), `stderr`, or a stream of the caller's.
 * A file that cannot be opened or written never stops a sale: log lines are lost, and stderr says so once.
 */
export function createLog(level: LogLevel, target: string | DestinationStream): AgentLog {
  return pino(
    { name: 'tillbridge-agent', level, ...MASKING_LOG_OPTIONS },
    typeof target === 'string' ? openTarget(target) : target,
  );
}

function openTarget(target: string): DestinationStream {
  if (target === 'stderr') return destination({ dest: 2, sync: true });
  const file = destination({ dest: target, mkdir: true, mode: 0o600, sync: true });
  let complained = false;
  file.on('error', (error: Error) => {
    if (complained) return;
    complained = true;
    process.stderr.write(`log ${target}: ${error.message}\n`);
  });
  return file;
}
