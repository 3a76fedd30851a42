import { describe, expect, it } from 'vitest';
import { decideTransport } from './decide.js';

const far = { encrypted: false, fromLoopback: false, fromProxy: false, forwardedProto: undefined };

describe('decideTransport', () => {
  it.each([
    ['TLS from anywhere', 'live', { ...far, encrypted: true }, 'serve'],
    ['plain HTTP from this machine in test', 'test', { ...far, fromLoopback: true }, 'serve'],
    ['plain HTTP from this machine in live', 'live', { ...far, fromLoopback: true }, 'redirect'],
    ['plain HTTP from elsewhere in test', 'test', far, 'redirect'],
    ['https at a trusted proxy', 'live', { ...far, fromProxy: true, forwardedProto: 'https' }, 'serve'],
    ['HTTPS in capitals', 'live', { ...far, fromProxy: true, forwardedProto: 'HTTPS' }, 'serve'],
    [
      'http at a trusted proxy',
      'test',
      { ...far, fromLoopback: true, fromProxy: true, forwardedProto: 'http' },
      'redirect',
    ],
    [
      'http at a trusted proxy that speaks TLS',
      'live',
      { ...far, encrypted: true, fromProxy: true, forwardedProto: 'http' },
      'redirect',
    ],
    [
      'what the client claimed before the proxy',
      'live',
      { ...far, fromProxy: true, forwardedProto: 'https, http' },
      'redirect',
    ],
    ['a claim from anybody else', 'live', { ...far, forwardedProto: 'https' }, 'redirect'],
    ['a proxy that does not state it', 'live', { ...far, fromProxy: true }, 'redirect'],
  ] as const)('judges %s', (_, mode, arrival, expected) => {
    expect(decideTransport(mode, arrival)).toBe(expected);
  });
});
