import { describe, expect, test } from 'vitest';
import { hostFault } from './host-check.js';

const onLoopback = { localAddress: '127.0.0.1', hostNames: [] };
const withOrigin = { ...onLoopback, origins: ['https://till.example'] };
const onNetwork = { localAddress: '192.168.1.7', hostNames: ['agent.shop.example'] };

describe('the Host of a request', () => {
  test.each([
    '127.0.0.1:8090',
    '127.0.0.1',
    'localhost:8090',
    'LOCALHOST',
    'localhost.:80',
    '[::1]:8090',
    undefined,
  ])('%s is ours on loopback', (host) => {
    expect(hostFault({ host }, onLoopback)).toBeUndefined();
    expect(hostFault({ host }, { ...onLoopback, localAddress: '::1' })).toBeUndefined();
    expect(hostFault({ host }, { ...onLoopback, localAddress: '::ffff:127.0.0.1' })).toBeUndefined();
  });

  test.each([
    'evil.example',
    'evil.example:8090',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '192.168.1.8',
    '0.0.0.0:8090',
    '127.0.0.1@evil.example',
    '[::1',
    '',
    ':8090',
  ])('%s is not', (host) => {
    for (const own of [onLoopback, onNetwork]) expect(hostFault({ host }, own)).toBe('wrong-host');
  });

  test('is the address of the connection or a configured name on a network', () => {
    for (const host of ['192.168.1.7:8090', 'Agent.Shop.Example'])
      expect(hostFault({ host }, onNetwork)).toBeUndefined();
    for (const host of ['localhost', '127.0.0.1']) expect(hostFault({ host }, onNetwork)).toBe('wrong-host');
    expect(hostFault({ host: '192.168.1.7' }, { ...onNetwork, localAddress: undefined })).toBe('wrong-host');
  });
});

describe('the Origin of a request', () => {
  const host = 'localhost:8090';

  test('is the same as the host, or absent', () => {
    for (const origin of ['http://localhost:8090', 'https://LOCALHOST:8090', undefined])
      expect(hostFault({ host, origin }, onLoopback)).toBeUndefined();
  });

  test.each([
    'http://evil.example',
    'http://localhost',
    'http://localhost:3000',
    'http://127.0.0.1:8090',
    'http://evil.example@localhost:8090',
    'null',
    'file://',
    '',
  ])('%s is foreign', (origin) => {
    expect(hostFault({ host, origin }, onLoopback)).toBe('wrong-origin');
  });
});

test('a page of a configured origin may call, of that origin exactly, and not under another host', () => {
  const fault = (origin: string, host = 'localhost:8090') => hostFault({ host, origin }, withOrigin);
  expect(fault('https://till.example')).toBeUndefined();
  for (const other of [
    'http://till.example',
    'https://till.example:8443',
    'https://till.example.evil',
    'null',
  ])
    expect(fault(other)).toBe('wrong-origin');
  expect(fault('https://till.example', 'evil.example')).toBe('wrong-host');
});
