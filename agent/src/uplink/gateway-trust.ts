import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checker } from '@tillbridge/platform/schema/checker.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { isPinSet, nextPins } from '@tillbridge/wire/bridge/gateway-pins.js';
import { type HelloProof, verifyWelcome } from '@tillbridge/wire/bridge/handshake.js';
import { identityKeyOf } from '@tillbridge/wire/bridge/identity-key.js';
import type { Challenge, GatewayPins, Welcome } from '@tillbridge/wire/bridge/messages.js';
import { IdentityError } from './identity.js';

/** Name of the file in the agent's home that holds by what it knows its gateway: JSON, bytes in base64. Enrolment makes it. */
export const GATEWAY_PINS_FILE = 'gateway-pins.json';

/** How an agent identifies its gateway, and stores the pins that a proven gateway sends. */
export interface GatewayTrust {
  readonly pins: GatewayPins;
  /** Keeps another pin set. */
  replace(pins: GatewayPins): void;
}

/** A Welcome that is the gateway's, and the pin set after it. */
interface ProvenWelcome {
  readonly pins: GatewayPins;
}

/** Whether a Welcome is the gateway's that the pin set names, in answer to this Hello; undefined: it is not. */
export function proveWelcome(
  pins: GatewayPins,
  challenge: Challenge,
  hello: HelloProof,
  welcome: Welcome,
): ProvenWelcome | undefined {
  const signer = pins.identityKeys.findIndex((spki) => {
    const key = identityKeyOf(spki);
    return key !== undefined && verifyWelcome(challenge, hello, welcome, key);
  });
  if (signer < 0) return undefined;
  return { pins: nextPins(pins, welcome.pins, signer, hello.channel) };
}

const STORED = Type.Object({
  identityKeys: Type.Array(Type.String()),
  tlsPins: Type.Array(Type.String()),
  authorities: Type.Array(Type.String()),
});

const isStored = checker(STORED);

/**
 * The pin set of a home, kept in its file.
 * @throws IdentityError when there is none, or it cannot be used
 */
export function fileTrust(home: string): GatewayTrust {
  let pins = readPins(home);
  return {
    get pins() {
      return pins;
    },
    replace: (next) => {
      writePins(home, next);
      pins = next;
    },
  };
}

/** Writes the pin set of a home by atomic replacement. */
export function writePins(home: string, { identityKeys, tlsPins, authorities }: GatewayPins): void {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const stored = { identityKeys: identityKeys.map(base64), tlsPins, authorities: authorities.map(base64) };
  replaceFile(join(home, GATEWAY_PINS_FILE), `${JSON.stringify(stored, undefined, 2)}\n`);
}

function readPins(home: string): GatewayPins {
  const path = join(home, GATEWAY_PINS_FILE);
  const stored = parse(path);
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'base64');
  const pins = stored && {
    identityKeys: stored.identityKeys.map(bytes),
    tlsPins: stored.tlsPins,
    authorities: stored.authorities.map(bytes),
  };
  if (pins && isPinSet(pins)) return pins;
  throw new IdentityError(`${path} holds no pin set of a gateway: restore it, or enrol the agent anew`);
}

function parse(path: string) {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new IdentityError(
      `cannot read the gateway's pin set from ${path} (${code}); enrol the agent: tillbridge-agent enrol CODE`,
    );
  }
  try {
    const value: unknown = JSON.parse(text);
    return isStored(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
