import { MASKING_LOG_OPTIONS } from '@tillbridge/protocol/mask/log-options.js';
import { destination, type Logger, pino } from 'pino';
import type { LogConfig } from '../config/config.js';

/** A logger that masks all it takes (P7). A file that cannot be written loses lines and stops nothing; stderr says so once. */
export function createLog({ level, target }: LogConfig): Logger {
  const options = { name: 'tillbridge-gateway', level, ...MASKING_LOG_OPTIONS };
  if (target === 'stderr') return pino(options, destination({ dest: 2, sync: true }));
  const file = destination({ dest: target, mkdir: true, mode: 0o600, sync: true });
  let complained = false;
  file.on('error', (error: Error) => {
    if (!complained) process.stderr.write(`log ${target}: ${error.message}\n`);
    complained = true;
  });
  return pino(options, file);
}
