import { existsSync } from 'node:fs';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { withHomeStore } from '../../../kernel/commands/command.js';
import { gatewayFiles } from '../../../kernel/data-folder/gateway-files.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { allRows } from '../../../kernel/store/all-rows.js';
import type { AuditRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import type { KeyInfo } from '../../../security/keys/key-store.js';
import { SoftwareKeyStore } from '../../../security/keys/software-key-store.js';
import { openToken } from '../../../security/open-security-module.js';
import { Pkcs11Keys } from '../../../security/pkcs11/pkcs11-keys.js';
import { TokenKeyStore } from '../../../security/pkcs11/token-key-store.js';
import { keyStoreOptions, securityFiles } from '../../../security/security-files.js';
import type { GatewayConfig } from '../../configuration/config.js';

/** What the steps look at. Each is read where a step needs it. */
export interface GoLiveFacts {
  readonly config: GatewayConfig;
  readonly env: NodeJS.ProcessEnv;
  readonly nowMs: number;
  /** @throws OperatorError where `init` has not run, StoreUnavailableError */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** Keys of store and token. @throws OperatorError, KeyStoreError, Pkcs11Error */
  keys(): readonly KeyInfo[];
  /** What was done by commands. */
  audit(): Promise<readonly AuditRow[]>;
}

/** The facts of a configured home. */
export function goLiveFacts(config: GatewayConfig, env: NodeJS.ProcessEnv): GoLiveFacts {
  const withStore = <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    requireKeys(config);
    return withHomeStore(config, work);
  };
  let audit: Promise<readonly AuditRow[]> | undefined;
  return {
    ...{ config, env, withStore, nowMs: systemClock.nowMs() },
    keys: () => listKeys(config),
    audit: () => {
      audit ??= withStore((store) => allRows(store, 'audit'));
      return audit;
    },
  };
}

/** Looking makes no home. @throws OperatorError */
function requireKeys({ home }: GatewayConfig): void {
  if (!existsSync(gatewayFiles(home).tokenKey)) throw new OperatorError(`${home} has no keys yet: run init`);
}

function listKeys(config: GatewayConfig): readonly KeyInfo[] {
  requireKeys(config);
  const { home, transport, token: configured } = config;
  const store = SoftwareKeyStore.open(keyStoreOptions(securityFiles(home), transport.mode, systemRandom));
  if (configured === undefined) return store.list();
  const token = openToken(configured);
  try {
    return new TokenKeyStore(store, new Pkcs11Keys(token, store.mode)).list();
  } finally {
    token.close();
  }
}
