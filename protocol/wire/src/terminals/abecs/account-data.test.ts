import { describe, expect, it } from 'vitest';
import { decodeAccountData, encodePanField, encodeTrack1Field, encodeTrack2Field } from './account-data.js';
import { incompleteTrack1, incompleteTrack2, maskPan, parsePanMask, readIncompleteTrack2 } from './tracks.js';

describe('account data', () => {
  it('packs a PAN and a track into whole blocks filled with F', () => {
    expect(encodePanField('4761739001010119').toEncipher.toString('hex')).toBe('4761739001010119');
    expect(encodePanField('476173900101011').toEncipher.toString('hex')).toBe('476173900101011f');
    expect(encodeTrack2Field('4761739001010119=30122010123456789').toEncipher.toString('hex')).toBe(
      '4761739001010119d30122010123456789ffffffffffffff'.slice(0, 48),
    );
  });

  it('leaves digits open in front of the blocks', () => {
    const field = encodeTrack2Field('4761739001010119=3012201', 6);
    expect(field.open.toString('hex')).toBe('476173');
    expect(field.toEncipher.length % 8).toBe(0);
    expect(field.toEncipher.toString('hex').startsWith('9001010119d3012201')).toBe(true);
    const track1 = encodeTrack1Field('B4761739001010119^NAME^3012201', 4);
    expect(track1.open.toString('latin1')).toBe('B4761');
    expect(track1.toEncipher.length % 8).toBe(0);
    expect(() => encodePanField('4761739001010119', 3)).toThrow(/SPE_OPNDIG/);
  });

  it.each(['4761739001010119=30122010123456789', '374245455400126=2512101', '5413330089010434=2512'])(
    'reads back track 2 %s',
    (track) => {
      const [pan, rest = ''] = track.split('=');
      const data = decodeAccountData(encodeTrack2Field(track).toEncipher);
      expect(data).toMatchObject({ pan, track2: track.replace('=', 'D'), expiry: rest.slice(0, 4) });
      expect(data.serviceCode).toBe(rest.slice(4, 7) || undefined);
    },
  );

  it('reads back a PAN of any length', () => {
    for (let length = 13; length <= 19; length += 1) {
      const pan = '9876543210123456789'.slice(0, length);
      expect(decodeAccountData(encodePanField(pan).toEncipher)).toEqual({ pan });
    }
  });

  it('refuses what a wrong key gives, without showing it', () => {
    expect(() => decodeAccountData(Buffer.from('a1b2c3d4e5f60718', 'hex'))).toThrow(/is the key right/);
    expect(() => decodeAccountData(Buffer.alloc(7))).toThrow(/whole blocks/);
    expect(() => decodeAccountData(Buffer.alloc(0))).toThrow(/whole blocks/);
    const message = (() => {
      try {
        encodeTrack2Field('4761739001010119');
        return '';
      } catch (error) {
        return String(error);
      }
    })();
    expect(message).toContain('track 2');
    expect(message).not.toContain('4761');
  });
});

describe('incomplete tracks', () => {
  it('cuts after the service code, or at 19 when there is none', () => {
    expect(incompleteTrack2('4761739001010119=30122010123456789')).toBe('4761739001010119=3012201');
    expect(incompleteTrack2('47617390010101193012201')).toBe('4761739001010119301');
    expect(incompleteTrack1('B4761739001010119^DOE/J^30122010000')).toBe('B4761739001010119^DOE/J^3012201');
    expect(incompleteTrack1('B4761739001010119^DOE/J')).toBe('B4761739001010119^D');
  });

  it('masks the PAN and nothing else', () => {
    const mask = parsePanMask('0604');
    expect(maskPan('4761739001010119', mask)).toBe('476173******0119');
    expect(maskPan('4761739001010119=3012201', mask)).toBe('476173******0119=3012201');
    expect(maskPan('B4761 739001 01011^DOE^3012201', mask)).toBe('B4761 73**** *1011^DOE^3012201');
    expect(maskPan('123456789', mask)).toBe('123456789');
    expect(maskPan('NO DIGITS', mask)).toBe('NO DIGITS');
  });

  it('reads expiry and service code of a masked track', () => {
    expect(readIncompleteTrack2('476173******0119=3012201')).toEqual({
      maskedPan: '476173******0119',
      expiry: '3012',
      serviceCode: '201',
    });
    expect(readIncompleteTrack2('4761739001010119301')).toEqual({ maskedPan: '4761739001010119301' });
  });
});
