import { type Bindings, type DestinationStream, destination, type Logger, pino } from 'pino';
import { maskValue } from '../../mask/mask.js';
import { LOG_STREAMS, type LogConfig } from '../config/program-settings.js';
import { openLogFile } from './log-file.js';
import { MASKING_LOG_OPTIONS } from './log-options.js';

/**
 * The log of a program: every text and object that it takes is masked (P7). A file that cannot be opened is replaced by stderr; when it
 * cannot be written later, lines are lost and stderr says so once: a log stops nothing.
 */
export function createLog(name: string, { level, target }: LogConfig): Logger {
  return maskChildren(pino({ name, level, ...MASKING_LOG_OPTIONS }, openTarget(target)));
}

/** Children inherit everything but the formatter of bindings: what they are bound to is masked here. */
function maskChildren(log: Logger): Logger {
  const child = log.child;
  log.child = function maskedChild(this: Logger, bindings, options) {
    return child.call(this, maskValue(bindings) as Bindings, options);
  } as Logger['child'];
  return log;
}

const STDERR = 2;

function openTarget(target: string): DestinationStream {
  const complain = (error: unknown): void => {
    process.stderr.write(`log ${target}: ${error instanceof Error ? error.message : 'cannot be written'}\n`);
  };
  try {
    const descriptor = LOG_STREAMS.get(target);
    return descriptor === undefined ? openLogFile(target, complain) : openStream(descriptor);
  } catch (error) {
    complain(error);
  }
  return openStream(STDERR);
}

function openStream(descriptor: number): DestinationStream {
  return destination({ dest: descriptor, sync: true });
}
