import type { KeyObject } from 'node:crypto';
import { canonicalBytes } from './canonical-bytes.js';
import { pinParts } from './gateway-pins.js';
import { isSignedBy, signBytes } from './identity-key.js';
import { BRIDGE_VERSIONS } from './limits.js';
import type { Challenge, Hello, Welcome } from './messages.js';

/** Range of bridge versions, both ends included. */
export interface VersionRange {
  readonly min: number;
  readonly max: number;
}

/** What the agent's proof covers of its Hello: who speaks, which start of the process, which copy of the journal, over which channel. */
export type HelloProof = Pick<
  Hello,
  'agentId' | 'bootId' | 'generation' | 'versionMin' | 'versionMax' | 'nonce' | 'channel'
>;

/** What the gateway's proof covers of its Welcome, in addition to the transcript. */
export type WelcomeProof = Pick<Welcome, 'version' | 'epoch' | 'timeMs' | 'pins'>;

/** Separate these signatures from each other and from any other that the same keys may make. */
const HELLO_CONTEXT = 'tillbridge.v1 hello';
const WELCOME_CONTEXT = 'tillbridge.v1 welcome';

/** The transcript of a handshake: all that both proofs cover. */
function transcript(challenge: Challenge, hello: HelloProof) {
  const { agentId, bootId, generation, versionMin, versionMax, nonce, channel } = hello;
  const offered = [challenge.nonce, challenge.versionMin, challenge.versionMax];
  return [offered, nonce, agentId, bootId, generation, versionMin, versionMax, channel];
}

/** Canonical bytes under the agent's signature. */
export function helloBytes(challenge: Challenge, hello: HelloProof): Uint8Array {
  return canonicalBytes([HELLO_CONTEXT, transcript(challenge, hello)]);
}

/** Signs the Hello with the agent's Ed25519 private key; 64 bytes. */
export function signHello(challenge: Challenge, hello: HelloProof, privateKey: KeyObject): Uint8Array {
  return signBytes(helloBytes(challenge, hello), privateKey);
}

/** True when the Hello's signature is that of this handshake under an agent's Ed25519 public key. */
export function verifyHello(
  challenge: Challenge,
  hello: HelloProof & Pick<Hello, 'signature'>,
  publicKey: KeyObject,
): boolean {
  return isSignedBy(helloBytes(challenge, hello), hello.signature, publicKey);
}

/** Canonical bytes under the gateway's signature. */
function welcomeBytes(challenge: Challenge, hello: HelloProof, welcome: WelcomeProof): Uint8Array {
  const { version, epoch, timeMs, pins } = welcome;
  return canonicalBytes([
    WELCOME_CONTEXT,
    transcript(challenge, hello),
    version,
    epoch,
    timeMs,
    pinParts(pins),
  ]);
}

/** Signs the Welcome with the gateway's Ed25519 identity key; 64 bytes. */
export function signWelcome(
  challenge: Challenge,
  hello: HelloProof,
  welcome: WelcomeProof,
  privateKey: KeyObject,
): Uint8Array {
  return signBytes(welcomeBytes(challenge, hello, welcome), privateKey);
}

/** True when the Welcome's signature is that of this handshake under the gateway's Ed25519 public key. */
export function verifyWelcome(
  challenge: Challenge,
  hello: HelloProof,
  welcome: WelcomeProof & Pick<Welcome, 'signature'>,
  publicKey: KeyObject,
): boolean {
  return isSignedBy(welcomeBytes(challenge, hello, welcome), welcome.signature, publicKey);
}

/** The highest version both sides speak, or undefined when there is none. */
export function negotiateVersion(
  theirs: VersionRange,
  ours: VersionRange = BRIDGE_VERSIONS,
): number | undefined {
  const version = Math.min(theirs.max, ours.max);
  return version >= Math.max(theirs.min, ours.min) ? version : undefined;
}
