import { describe, expect, it } from 'vitest';
import { LOOPBACK, peerName, peersOf } from './peers.js';

describe('peersOf', () => {
  it('knows addresses and networks of both kinds', () => {
    const peers = peersOf(['10.0.0.0/8', '192.168.1.7', 'fd00::/8']);
    for (const address of ['10.1.2.3', '192.168.1.7', 'fd12::1', '::ffff:10.1.2.3']) {
      expect(peers.has(address), address).toBe(true);
    }
    for (const address of ['11.0.0.1', '192.168.1.8', 'fe80::1', '', 'localhost', undefined]) {
      expect(peers.has(address), address).toBe(false);
    }
  });

  it.each(['10.0.0.0/33', '10.0.0', 'host', '10.0.0.1/8/8', '10.0.0.0/x', '::/129', '/8'])(
    'refuses %s',
    (entry) => {
      expect(() => peersOf([entry])).toThrow(RangeError);
    },
  );

  it('has every loopback address', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      expect(LOOPBACK.has(address), address).toBe(true);
    }
  });
});

describe('peerName', () => {
  it.each([
    ['192.168.1.7', '192.168.1.7'],
    ['::ffff:192.168.1.7', '192.168.1.7'],
    ['::1', '0:0:0:0::'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::', '2001:db8:1:2::'],
    ['2001:db8::9', '2001:db8:0:0::'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::'],
    ['1:2:3::8', '1:2:3:0::'],
    ['::3:4:5:6:7:8', '0:0:3:4::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['::ffff:192.168.10.70', '192.168.10.70'],
    ['unknown', 'unknown'],
    [undefined, 'unknown'],
  ])('of %s is %s', (address, name) => {
    expect(peerName(address)).toBe(name);
  });
});
