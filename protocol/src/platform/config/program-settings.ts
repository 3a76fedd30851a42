import { join, resolve } from 'node:path';
import { Type } from '../../schema/type.js';
import { LOG_LEVELS, type LogLevel, oneOf, path, section } from './setting.js';

/** `home`: the folder of a program. `env` names its variable. */
export function homeSetting(program: string, env: string, description: string) {
  return Type.Optional(path({ description, env, fallback: `\`${program}\` in \`TILLBRIDGE_HOME\`` }));
}

/** What the reference says of `TILLBRIDGE_HOME`. */
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

/** `log`: how much is logged, and where. `env` names the variable of the target. */
export function logSection(env: string, fallback: string) {
  const level = { description: 'How much is logged.', env: `${env}_LEVEL`, default: 'info' };
  const target = path({ description: 'Where the log goes.', env, fallback }, 'stdout, stderr or a path');
  return section({ level: oneOf(LOG_LEVELS, level), target: Type.Optional(target) }, { default: {} });
}

/** Streams that a log may go to instead of a file, and their descriptors. */
export const LOG_STREAMS: ReadonlyMap<string, number> = new Map([
  ['stdout', 1],
  ['stderr', 2],
]);

/** Where log lines go and how many. */
export interface LogConfig {
  readonly level: LogLevel;
  /** The path of a file, `stdout` or `stderr`. */
  readonly target: string;
}

/** The log of a program, by default in `fallback`. */
export function logConfig(
  { level, target }: { readonly level: LogLevel; readonly target?: string },
  fallback: string,
): LogConfig {
  const to = target ?? fallback;
  return { level, target: LOG_STREAMS.has(to) ? to : resolve(to) };
}
