import { describe, expect, it } from 'vitest';
import { IpCountriesError, readIpCountries } from './ip-countries.js';

const TABLE = `192.0.2.0,192.0.2.255,DE
198.51.100.0,198.51.100.127,AT
"198.51.100.128","198.51.100.255","ES"

2001:db8::,2001:db8:0:ffff:ffff:ffff:ffff:ffff,FR
2001:db8:1::,2001:db8:1:ffff:ffff:ffff:ffff:ffff,IT
`;

describe('countries of IP addresses', () => {
  it.each([
    ['192.0.2.0', 'DE'],
    ['192.0.2.255', 'DE'],
    ['192.0.3.0', undefined],
    ['192.0.1.255', undefined],
    ['198.51.100.127', 'AT'],
    ['198.51.100.128', 'ES'],
    ['255.255.255.255', undefined],
    ['2001:db8::1', 'FR'],
    ['2001:db8:0:ffff::', 'FR'],
    ['2001:db8:1:2:3:4:5:6', 'IT'],
    ['2001:db8:2::', undefined],
    ['::', undefined],
    ['::ffff:192.0.2.1', undefined],
    ['shop.example', undefined],
    ['', undefined],
  ])('of %s: %s', (address, country) => {
    expect(readIpCountries(TABLE)(address)).toBe(country);
  });

  it.each([
    ['192.0.2.0,DE', 'line 1 is not'],
    ['192.0.2.0,2001:db8::,DE', 'line 1 is not'],
    ['192.0.2.0,192.0.2.9,Germany', 'line 1 is not'],
    ['192.0.2.9,192.0.2.0,DE', 'line 1 begins'],
    ['192.0.2.0,192.0.2.9,DE\n192.0.1.0,192.0.1.9,AT', 'line 2 begins'],
  ])('names the line that is wrong: %j', (csv, expected) => {
    expect(() => readIpCountries(csv)).toThrow(IpCountriesError);
    expect(() => readIpCountries(csv)).toThrow(expected);
  });
});
