import type { LogConfig } from '@tillbridge/platform/config/program-settings.js';
import { createSecurityLog } from '@tillbridge/platform/log/log.js';
import { securityEvent } from '@tillbridge/platform/log/security-events.js';

/** The name of the program in its logs. */
export const LOG_NAME = 'tillbridge-agent';

/** Notes in the security log of a home what a command has changed there. `about` holds no secret. */
export function noteCommand({ log }: { readonly log: LogConfig }, action: string, about: object): void {
  createSecurityLog(LOG_NAME, log).warn({ ...securityEvent('command'), action, ...about }, 'command');
}
