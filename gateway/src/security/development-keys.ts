import { withSecret } from '@tillbridge/wire/bytes.js';
import {
  DEVELOPMENT_KEYS,
  DEVELOPMENT_PVKI,
  type DevelopmentKeyName,
  developmentKey,
} from '@tillbridge/wire/crypto/key-block/test-keys.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import {
  DEVELOPMENT_AES_KEY_SETS,
  DEVELOPMENT_AES_MAC_KEY_SET,
  DEVELOPMENT_AES_PIN_KEY_SET,
  DEVELOPMENT_KEY_SETS,
  DEVELOPMENT_MAC_KEY_SET,
} from '@tillbridge/wire/terminals/development-key-sets.js';
import { ensureKeyFile } from './keys/key-file.js';
import type { KeyUsage, NewKey } from './keys/key-store.js';
import { SoftwareKeyStore } from './keys/software-key-store.js';
import { keyStoreOptions, securityFiles } from './security-files.js';

/** Name of the acquirer that the development zone key is shared with. */
const INTERNAL = 'INTERNAL';
/** Name of the acquirer of test mode EXTERNAL, whose host the simulator plays. */
export const EXTERNAL_ACQUIRER = 'EXTERNAL';
/** An eight-byte serial number is filled in front with FFFF (X9.24-1 A.1): all development devices share one key set. */
const DEVELOPMENT_KEY_SET = 'FFFF';
/** One simulated issuer owns every BIN. */
const EVERY_BIN = '';

const SCOPES: Readonly<
  Record<Exclude<DevelopmentKeyName, 'bdkDataAes' | 'cavvKey'>, readonly [usage: KeyUsage, scope: string]>
> = {
  bdkPin: ['bdk-pin', DEVELOPMENT_KEY_SET],
  bdkData: ['bdk-data', DEVELOPMENT_KEY_SET],
  bdkMac: ['bdk-mac', DEVELOPMENT_MAC_KEY_SET],
  bdkMacAes: ['bdk-mac', DEVELOPMENT_AES_MAC_KEY_SET],
  bdkPinAes: ['bdk-pin', DEVELOPMENT_AES_PIN_KEY_SET],
  imkAc: ['imk-ac', EVERY_BIN],
  imkSmi: ['imk-smi', EVERY_BIN],
  imkSmc: ['imk-smc', EVERY_BIN],
  pvk: ['pvk', `${DEVELOPMENT_PVKI}:${EVERY_BIN}`],
  cvk: ['cvk', EVERY_BIN],
  zonePinKey: ['zone-pin', INTERNAL],
  zoneMacKey: ['mac', EXTERNAL_ACQUIRER],
  zoneTransportKey: ['zmk', EXTERNAL_ACQUIRER],
  zoneProtectionKey: ['kbpk', EXTERNAL_ACQUIRER],
};

/**
 * Makes the key files of a development gateway: a random master key, and a key store in test mode that
 * holds the published development keys. Existing files and keys stay as they are, so that it can run at every start.
 * @param gatewayHome the gateway's own directory
 * @throws KeyStoreError when the store is a live one or another master key's; SecretFileError
 */
export function ensureDevelopmentKeys(gatewayHome: string, random: Random): void {
  const files = securityFiles(gatewayHome);
  ensureKeyFile(files.internalAcquirerKey, random);
  const store = SoftwareKeyStore.create(keyStoreOptions(files, 'test', random));
  for (const name of Object.keys(SCOPES) as (keyof typeof SCOPES)[]) {
    const [usage, scope] = SCOPES[name];
    addMissing(store, name, { id: `development-${name}`, usage, scope });
  }
  // One key for both simulators of an acquirer.
  const zonePin = {
    id: 'development-zonePinKey-EXTERNAL',
    usage: 'zone-pin',
    scope: EXTERNAL_ACQUIRER,
  } as const;
  addMissing(store, 'zonePinKey', zonePin);
  // Longer than the key set that all devices share, and under the same key.
  addKeySets(store, 'bdkData', DEVELOPMENT_KEY_SETS);
  addKeySets(store, 'bdkDataAes', DEVELOPMENT_AES_KEY_SETS);
}

function addKeySets(
  store: SoftwareKeyStore,
  name: 'bdkData' | 'bdkDataAes',
  keySets: ReadonlyMap<string, string>,
): void {
  for (const [deviceType, scope] of keySets) {
    const id = `development-${name}-${deviceType}`;
    addMissing(store, name, { id, usage: 'bdk-data', scope, deviceType });
  }
}

function addMissing(
  store: SoftwareKeyStore,
  name: DevelopmentKeyName,
  about: Pick<NewKey, 'id' | 'usage' | 'scope' | 'deviceType'>,
): void {
  if (store.list().some(({ id }) => id === about.id)) return;
  const { use: label, algorithm, kcv: expectedKcv } = DEVELOPMENT_KEYS[name];
  withSecret(developmentKey(name), (key) => store.add({ ...about, algorithm, label, key, expectedKcv }));
}
