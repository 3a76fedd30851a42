import { join, resolve } from 'node:path';
import { oneOf, section, wholeNumber } from '../schema/fields.js';
import { Type } from '../schema/type.js';
import { LOG_LEVELS, type LogLevel, path } from './setting.js';

/** `home`: the folder of a program. `env` names its variable. */
export function homeSetting(program: string, env: string, description: string) {
  return Type.Optional(path({ description, env, fallback: `\`${program}\` in \`TILLBRIDGE_HOME\`` }));
}

/** The reference's row of `TILLBRIDGE_HOME`. */
export function homeVariable(program: string, env: string) {
  return {
    TILLBRIDGE_HOME: `the home is its folder \`${program}\` (\`.local/${program}\`), unless ${env} is set`,
  };
}

/** The home of a program: the configured one, or its folder in `TILLBRIDGE_HOME`. */
export function homeOf(configured: string | undefined, program: string, env: NodeJS.ProcessEnv): string {
  return resolve(configured ?? join(env.TILLBRIDGE_HOME || '.local', program));
}

/** `mode`: test or live. */
export function modeSetting(env: string, description: string) {
  return oneOf(['test', 'live'], { description, env, default: 'test' });
}

/** How long, how many and how old the files of a log become. */
export interface LogFileLimits {
  /** A file of this size is put aside. */
  readonly maxBytes: number;
  /** Files at once, with the one that is written. */
  readonly files: number;
  /** A file whose first line is so old is put aside; one that was last written so long ago is removed. */
  readonly maxAgeDays: number;
}

const MIB = 1024 * 1024;

/** Of a log for which nothing is configured. */
export const DEFAULT_LOG_FILE: LogFileLimits = { maxBytes: 16 * MIB, files: 4, maxAgeDays: 90 };

/** Of the security log: a year and a month, as auditors ask for a year. */
const DEFAULT_SECURITY_FILE: LogFileLimits = { ...DEFAULT_LOG_FILE, maxAgeDays: 400 };

function fileSettings(env: string, { maxBytes, files, maxAgeDays }: LogFileLimits) {
  const size = {
    description: 'The file is put aside at this size.',
    env: `${env}_FILE_MIB`,
    default: maxBytes / MIB,
  };
  const count = {
    description: 'Files at once, with the one that is written.',
    env: `${env}_FILES`,
    default: files,
  };
  const age = {
    description: 'A file is put aside when its first line is so old, and removed when its last line is.',
    env: `${env}_DAYS`,
    default: maxAgeDays,
  };
  return {
    fileMiB: wholeNumber(1, 1_024, size, 'MiB'),
    files: wholeNumber(1, 100, count),
    days: wholeNumber(1, 3_650, age, 'days'),
  };
}

/** `log`: how much is logged, and where. `env` names the variable of the target. */
export function logSection(env: string, fallback: string) {
  return section(logSettings(env, fallback), { default: {} });
}

/** `log` of a program with a security log. `securityEnv` names the variable of its target. */
export function logSectionWithSecurity(env: string, fallback: string, securityEnv: string) {
  const target = path(
    {
      description: 'Where security events go as well.',
      env: securityEnv,
      fallback: '`security.log` in the home; where the log goes to a stream, that stream',
    },
    'stdout, stderr or a path',
  );
  const security = section(
    { target: Type.Optional(target), ...fileSettings(securityEnv, DEFAULT_SECURITY_FILE) },
    { default: {} },
  );
  return section({ ...logSettings(env, fallback), security }, { default: {} });
}

function logSettings(env: string, fallback: string) {
  const level = { description: 'How much is logged.', env: `${env}_LEVEL`, default: 'info' };
  const target = path({ description: 'Where the log goes.', env, fallback }, 'stdout, stderr or a path');
  return {
    level: oneOf(LOG_LEVELS, level),
    target: Type.Optional(target),
    ...fileSettings(env, DEFAULT_LOG_FILE),
  };
}

/** Streams that a log may go to instead of a file, and their descriptors. */
export const LOG_STREAMS: ReadonlyMap<string, number> = new Map([
  ['stdout', 1],
  ['stderr', 2],
]);

/** Where lines go. */
interface LogTarget {
  /** The path of a file, `stdout` or `stderr`. */
  readonly target: string;
  /** Absent: {@link DEFAULT_LOG_FILE}. */
  readonly file?: LogFileLimits;
}

/** Where log lines go and how many. */
export interface LogConfig extends LogTarget {
  readonly level: LogLevel;
  /** Where security events go as well; absent: nowhere else. */
  readonly security?: LogTarget;
}

interface TargetSettings {
  readonly target?: string;
  readonly fileMiB: number;
  readonly files: number;
  readonly days: number;
}

/** The log of a program, by default in `fallback`; its security events by default in `securityFallback`, or in the stream that the log goes to. */
export function logConfig(
  {
    level,
    security,
    ...settings
  }: TargetSettings & { readonly level: LogLevel; readonly security?: TargetSettings },
  fallback: string,
  securityFallback: string = fallback,
): LogConfig {
  const own = logTarget(settings, fallback);
  // Who reads a stream gets all of it: no file is left behind.
  const ofSecurity = LOG_STREAMS.has(own.target) ? own.target : securityFallback;
  return { level, ...own, ...(security && { security: logTarget(security, ofSecurity) }) };
}

function logTarget({ target, fileMiB, files, days }: TargetSettings, fallback: string): LogTarget {
  const to = target ?? fallback;
  return {
    target: LOG_STREAMS.has(to) ? to : resolve(to),
    file: { maxBytes: fileMiB * MIB, files, maxAgeDays: days },
  };
}
