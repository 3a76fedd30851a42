import { maskValue } from '@tillbridge/wire/mask/mask.js';
import { type Bindings, type DestinationStream, destination, type Logger, levels, pino, symbols } from 'pino';
import { LOG_STREAMS, type LogConfig, type LogFileLimits } from '../config/program-settings.js';
import type { LogLevel } from '../config/setting.js';
import { GatheredLines } from './gathered-lines.js';
import { openLogFile } from './log-file.js';
import { MASKING_LOG_OPTIONS } from './log-options.js';
import { isSecurityEvent } from './security-events.js';

/**
 * The log of a program: every text and object that it takes is masked (P7). A file that cannot be opened is replaced by stderr; when it
 * cannot be written later, lines are lost and stderr gets one line about it: a log never stops the program. Lines of a file are written
 * together, those of one turn of the event loop; an error and a security event are written at once. Security events go to the security log as
 * well, at any level.
 */
export function createLog(name: string, config: LogConfig): Logger {
  const { level, security } = config;
  const opened = openTarget(config.target, config.file);
  const target = LOG_STREAMS.has(config.target) ? opened : new GatheredLines(opened);
  if (!security) return splitLog(name, level, target);
  // One stream has each line once.
  const isSame = security.target === config.target;
  return splitLog(name, level, target, isSame ? target : openTarget(security.target, security.file));
}

/** A log for the security events of a second process, which does not rotate the files; nothing else is written, and nothing to a stream. */
export function createSecurityLog(name: string, { security }: LogConfig): Logger {
  const isFile = security !== undefined && !LOG_STREAMS.has(security.target);
  if (!isFile) return splitLog(name, 'silent', NOWHERE, NOWHERE);
  let file: DestinationStream | undefined;
  const write = (line: string): void => {
    // Most commands of operators change nothing: they leave no file.
    file ??= openTarget(security.target, security.file, true);
    file.write(line);
  };
  return splitLog(name, 'silent', NOWHERE, { write });
}

const NOWHERE: DestinationStream = { write: () => undefined };

/** What takes lines; `atOnce`: and writes them before it returns. */
interface LineTarget {
  write(line: string, atOnce?: boolean): void;
}

/** Lines that the level allows go to the log, security events to theirs, where they have one. */
function splitLog(name: string, level: LogLevel, log: LineTarget, security?: LineTarget): Logger {
  const least = numberOf(level);
  const { logMethod } = MASKING_LOG_OPTIONS.hooks;
  const split = {
    [symbols.needsMetadataGsym]: true as const,
    lastLevel: 0,
    lastObj: undefined as unknown,
    write(line: string): void {
      const isLogged = this.lastLevel >= least;
      const isEvent = isSecurityEvent(this.lastObj);
      if (isLogged) log.write(line, isEvent || this.lastLevel >= FAULT);
      if (isEvent && !(isLogged && security === log)) security?.write(line, true);
    },
  };
  if (!security) return maskChildren(pino({ name, level, ...MASKING_LOG_OPTIONS }, split));
  const hooks = {
    // Before a line is made of what goes nowhere.
    logMethod(this: unknown, args: unknown[], method: (...args: unknown[]) => void, at: number): void {
      if (at >= least || isSecurityEvent(args[0])) logMethod.call(this, args, method);
    },
  };
  const lowest = least <= numberOf('info') ? level : 'info';
  return maskChildren(pino({ name, level: lowest, ...MASKING_LOG_OPTIONS, hooks }, split));
}

/** Lines of this level and above are written at once. */
const FAULT = numberOf('error');

function numberOf(level: LogLevel): number {
  return levels.values[level] ?? Number.POSITIVE_INFINITY;
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

function openTarget(target: string, limits?: LogFileLimits, isOnlyWriter = false): DestinationStream {
  const complain = (error: unknown): void => {
    process.stderr.write(`log ${target}: ${error instanceof Error ? error.message : 'cannot be written'}\n`);
  };
  try {
    const descriptor = LOG_STREAMS.get(target);
    if (descriptor !== undefined) return openStream(descriptor);
    return openLogFile(target, complain, { ...(limits && { limits }), isOnlyWriter });
  } catch (error) {
    complain(error);
  }
  return openStream(STDERR);
}

function openStream(descriptor: number): DestinationStream {
  return destination({ dest: descriptor, sync: true });
}
