import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import type { GatewayPins } from '@tillbridge/wire/bridge/messages.js';
import { type GatewayTrust, writePins } from './gateway-trust.js';
import { type AgentIdentity, completeIdentity, loadIdentity, pendingKey } from './identity.js';

const gatewayKey = generateKeyPairSync('ed25519');
const backupKey = generateKeyPairSync('ed25519');

/** By what the test gateway proves itself. */
export const TEST_GATEWAY_KEY: KeyObject = gatewayKey.privateKey;
/** By what it proves itself after a rotation. */
export const TEST_BACKUP_KEY: KeyObject = backupKey.privateKey;
/** What agents pin that are enrolled with the test gateway. */
export const TEST_PINS: GatewayPins = {
  identityKeys: [spkiOf(gatewayKey.publicKey), spkiOf(backupKey.publicKey)],
  tlsPins: [],
  authorities: [],
};

/** Makes a home that is enrolled with the test gateway, or with that of other pins. */
export function enrolledHome(
  home: string,
  agentId = 'store-1',
  pins: GatewayPins = TEST_PINS,
): AgentIdentity {
  pendingKey(home);
  writePins(home, pins);
  completeIdentity(home, agentId);
  return loadIdentity(home);
}

/** A pin set in memory. */
export function memoryTrust(first: GatewayPins = TEST_PINS): GatewayTrust {
  let pins = first;
  return {
    get pins() {
      return pins;
    },
    replace: (next) => {
      pins = next;
    },
  };
}
