import { peersOf } from '@tillbridge/platform/net/peers.js';
import { expect, it } from 'vitest';
import { mayConnect } from './address-rules.js';

const NONE = peersOf([]);

it.each(['8.8.8.8', '93.184.215.14', '172.15.255.255', '172.32.0.1', '2606:2800:21f:cb07::1'])(
  'lets the gateway connect to %s',
  (address) => expect(mayConnect(address, NONE)).toBe(true),
);

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.9.9.9',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
])('does not let it connect to %s', (address) => expect(mayConnect(address, NONE)).toBe(false));

it('lets it connect only to a network that is allowed', () => {
  const allowed = peersOf(['10.1.0.0/16', '::1']);
  expect(['10.1.2.3', '10.2.2.3', '::1', '::2'].map((address) => mayConnect(address, allowed))).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
