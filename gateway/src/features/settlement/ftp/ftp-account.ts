import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { accessTokenHash } from '../../../kernel/http/request/access-token-hash.js';
import type { Store } from '../../../kernel/store/store.js';
import { newAccessToken } from '../../../security/tokens/access-tokens.js';
import { setAccount } from '../administration.js';

/** What accounts are looked up with. */
export interface FtpAccountDeps {
  readonly store: Pick<Store, 'get'>;
  readonly tokenKey: KeyObject;
}

/** Gives a merchant an account at the FTP location, or a new password for it; shown this once. @throws OperatorError */
export async function giveFtpAccount(
  { tokenKey, ...deps }: Parameters<typeof setAccount>[0] & Pick<FtpAccountDeps, 'tokenKey'>,
  merchantId: string,
): Promise<{ readonly user: string; readonly password: string }> {
  const password = newAccessToken(deps.random);
  await setAccount(deps, merchantId, { ftpPassword: accessTokenHash(tokenKey, password) });
  return { user: merchantId, password };
}

/** Takes the account away. @throws OperatorError */
export function removeFtpAccount(deps: Parameters<typeof setAccount>[0], merchantId: string): Promise<void> {
  return setAccount(deps, merchantId, { ftpPassword: null });
}

/** What user and password are. An unknown user takes as long as a wrong password. @throws StoreUnavailableError */
export async function judgeFtpAccount(
  { store, tokenKey }: FtpAccountDeps,
  user: string,
  password: string,
): Promise<'good' | 'wrong-password' | 'unknown-user'> {
  const stored = (await store.get('settlementAccounts', [user]))?.ftpPassword;
  const presented = Buffer.from(accessTokenHash(tokenKey, password));
  const expected = Buffer.from(stored ?? '0'.repeat(presented.length));
  const isSame = presented.length === expected.length && timingSafeEqual(presented, expected);
  if (stored == null) return 'unknown-user';
  return isSame ? 'good' : 'wrong-password';
}
