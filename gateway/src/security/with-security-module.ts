import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import {
  type OpenSecurityModule,
  openSecurityModule,
  type SecurityModuleOptions,
} from './open-security-module.js';
import { securityFiles } from './security-files.js';

/** The configuration of keys. */
interface SecurityConfig extends Pick<SecurityModuleOptions, 'token'> {
  readonly home: string;
  readonly transport: Pick<SecurityModuleOptions, 'mode'>;
}

/** Does work with the security module that is configured, and closes it. @throws as `openSecurityModule` */
export async function withSecurityModule<T>(
  { home, transport: { mode }, token }: SecurityConfig,
  work: (module: OpenSecurityModule) => Promise<T>,
): Promise<T> {
  const files = securityFiles(home);
  const module = openSecurityModule({ files, mode, random, ...(token && { token }) });
  try {
    return await work(module);
  } finally {
    module.close();
  }
}
