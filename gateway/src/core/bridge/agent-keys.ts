import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { verifyHello } from '@tillbridge/wire/bridge/handshake.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import type { Challenge, Hello } from '@tillbridge/wire/bridge/messages.js';
import type { AgentRow } from '../../kernel/store/rows.js';
import type { ProvenBy } from './enrolment/decide-hello.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';

/** Parsed keys that are cached: those of all agents that may be connected. With fewer a storm of all of them would find none. */
export const PARSED_KEYS_LIMIT = DEFAULT_BRIDGE_LIMITS.maxSockets;

/**
 * A cache of the agents' parsed public keys: parsing takes as long as checking a signature, and after an outage all agents reconnect at
 * once. Keys are cached by their text, so an agent that gets a new key is never checked against its former one.
 */
export class AgentKeys {
  readonly #parsed = new Map<string, KeyObject>();
  readonly #limit: number;

  /** @param limit keys that are cached at most */
  constructor(limit: number = PARSED_KEYS_LIMIT) {
    this.#limit = limit;
  }

  /**
   * @param pem SubjectPublicKeyInfo
   * @throws what `createPublicKey` throws for a text that is no key
   */
  keyOf(pem: string): KeyObject {
    const known = this.#parsed.get(pem);
    if (known) return known;
    const key = parsed(pem);
    const [oldest] = this.#parsed.keys();
    if (this.#parsed.size >= this.#limit && oldest !== undefined) this.#parsed.delete(oldest);
    this.#parsed.set(pem, key);
    return key;
  }
}

/** An Ed25519 key of 32 bytes behind the fixed head of its SubjectPublicKeyInfo (RFC 8410 §4), as PEM writes it. */
const ED25519_PEM =
  /^-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA([A-Za-z0-9+/]{43}=)\n-----END PUBLIC KEY-----\n?$/;

/** OpenSSL takes 100 µs to find the decoder of a PEM text, and 10 µs to take the bytes of an Ed25519 key as they are. */
function parsed(pem: string): KeyObject {
  const bytes = ED25519_PEM.exec(pem)?.[1];
  if (bytes === undefined) return createPublicKey(pem);
  const x = Buffer.from(bytes, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

type AgentKeyRow = Pick<AgentRow, 'publicKey' | 'nextPublicKey' | 'formerPublicKey'>;

/** Checked in the place of an unknown agent, whose refusal then takes as long as that of a known one. Its private half was never stored. */
const PLACEHOLDER_KEYS: AgentKeyRow = {
  publicKey: generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  nextPublicKey: null,
  formerPublicKey: null,
};

/** Which key of the agent has signed the Hello; undefined for none, and for an unknown agent. */
export function provenBy(
  keys: AgentKeys,
  agent: AgentKeyRow | undefined,
  challenge: Challenge,
  hello: Hello,
): ProvenBy {
  if (hello.nonce.length !== BRIDGE_LIMITS.nonceBytes) return undefined;
  const isBy = (pem: string | null): boolean =>
    pem !== null && isSigned(keys, pem, (key) => verifyHello(challenge, hello, key));
  const { publicKey, nextPublicKey, formerPublicKey } = agent ?? PLACEHOLDER_KEYS;
  if (isBy(publicKey)) return 'current';
  if (isBy(nextPublicKey)) return 'next';
  return isBy(formerPublicKey) ? 'former' : undefined;
}

/** False for a key that cannot be read. */
function isSigned(keys: AgentKeys, pem: string, verify: (key: KeyObject) => boolean): boolean {
  try {
    return verify(keys.keyOf(pem));
  } catch {
    return false;
  }
}
