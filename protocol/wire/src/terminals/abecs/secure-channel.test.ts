import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import {
  decodeSecureOpen,
  decodeSecureOpenAnswer,
  encipherChannelKey,
  encodeSecureOpen,
  encodeSecureOpenAnswer,
} from './secure-open.js';
import { isSealed, openMessage, sealMessage } from './secure-packet.js';

// The worked example of ABECS 2.20 §3.2.2 and §5.2.2: key pair, channel key, request, answer and two packets.

const hex = (text: string) => fromHex(text.replace(/\s/g, ''));
const HOST = {
  modulus: hex(`
  A82A660B3C49226EFCDABA7FC68066B83D23D0560EDA3A12B63E9132F299FBF340A5AEBC4CD5DC1F14873F83A80BA9A88D3FEABBAB41DFFC1944BBBA
  A89F26AF9CC28FF31C497EB91D82F8613E7463C47529FBD1925FD3326A8DC027704DA68860E68BD0A1CEA8DE6EC75604CD3D9A6AF38822DE45AAA0C9
  FBF2BD4783B0F9A81F6350C0188156F908FAB1F559CFCE1F91A393431E8BF2CD78C04BD530DB441091CDFFB400DAC08B1450DB65C00E2D4AF4E9A85A
  1A19B61F550F0C289B14BD63DF8A1539A8CF629F98F88EA944D9056675000F95BFD0FEFC56F9D9D66E2701BDBD71933191AE9928F5D623FE8B99ECC7
  77444FFAA83DE456F5C8D3C83EC511AF`),
  exponent: hex('0D'),
};
const CHANNEL_KEY = hex('DB3B4D015432AB3223555A1F81759A94');
const FILL = hex(`
  FA6DBD583043214CA1BAEAEA54F2DB722E7F9641897DC757DB316C798807C127AA16886D4E310ACC971B0B2D1F2260DDB1E71517AC335FFBCDB316C7
  98807B78BE8B96BE3797A03CBD23C87A92CD26BDC737E38C394C96D9709675B1FA7C492EE223B71DBD636E87FEA8C046F49CF9B445FA57FA6DBD5830
  43214CA1BAEAEA54F2DB722E7F9641897DC757DB316C798807C127AA16886D4E310ACC971B0B2D1F2260DDB1E71517AC335FFBCB78BE8B96BE3797A0
  3CBD23C87A92CD26BDC737E38C394C96D9709675B1FA7C492EE223B71DBD636E87FEA8C046F49CF9B445FA576E87FEA8C046F49CF9B445FA57`);
const CRYPTOGRAM = hex(`
  4E5805E5ACF3BE4A3FD27300E682DDB028DC43223D6D2E59DB12BCB52D238D1875CF19A69FE4052B7FED0160ADF3006D8D66156AA1A0A55E2F1A0453
  22FED5945B2F4A7A6E66C8D2FA97479D31B106FEC1A59370184AC6373B1053DA9BE7DC01B2AA18C208E1C0779C0CCD7D4496E5326E98AE744CCC58CA
  7B4630D96DD37FB7B79D6FBA793018C92C61516939CCA12D19241461605D589082BB5ED79E5AE720C9DCC07250FEE527D18AD8AB3749E2EE0D48D9BC
  2E0AED75AD749E11A379C37B68401048AD79DE254E0B45E143EBD0797C83F7AD88D255F19153C80B159BEA4F5E604EFA98D09193FB9BE4FE922BC1D1
  BFD9791E7764C625AE3E85BDCC8903BD`);

describe('OPN with a public key', () => {
  test('is written and read as published', () => {
    const block = Buffer.from(`0256${toHex(HOST.modulus)}10D`, 'latin1');
    expect(encodeSecureOpen(HOST)).toEqual(block);
    expect(decodeSecureOpen(block)).toEqual(HOST);
  });

  test('takes the exponent of a captured host, 3 bytes', () => {
    const key = { ...HOST, exponent: hex('010001') };
    const block = encodeSecureOpen(key);
    expect(block).toHaveLength(523);
    expect(block.toString('latin1').slice(-7)).toBe('3010001');
    expect(decodeSecureOpen(block)).toEqual(key);
  });

  test.each([
    ['another mode', '1256', '10D'],
    ['another length', '0128', '10D'],
    ['an exponent shorter than its length', '0256', '20D'],
    ['an exponent longer than its length', '0256', '10D0D'],
    ['no exponent', '0256', '0'],
  ])('refuses %s', (_, head, tail) => {
    const block = Buffer.from(`${head}${toHex(HOST.modulus)}${tail}`, 'latin1');
    expect(() => decodeSecureOpen(block)).toThrow('OPN');
  });

  test('enciphers the channel key as published', () => {
    expect(encipherChannelKey(HOST, CHANNEL_KEY, FILL)).toEqual(CRYPTOGRAM);
    expect(() => encipherChannelKey({ ...HOST, modulus: Buffer.alloc(256) }, CHANNEL_KEY, FILL)).toThrow(
      'OPN_MOD',
    );
  });

  test('answers as published', () => {
    const block = Buffer.from(`256${toHex(CRYPTOGRAM)}`, 'latin1');
    expect(encodeSecureOpenAnswer(CRYPTOGRAM)).toEqual(block);
    expect(decodeSecureOpenAnswer(block)).toEqual(CRYPTOGRAM);
    expect(() => decodeSecureOpenAnswer(block.subarray(1))).toThrow('OPN_CRKSEC');
  });
});

describe('packets in the channel', () => {
  const GIX = hex('47495830313400 01000A 80018004803491 01910E');
  const SEALED = hex('12EA229EDD36F84C2AA7E00275105C3A8A787FC9B2883540AEE827BA1C5A039496');

  test('a command is sealed and opened as published', () => {
    expect(sealMessage(CHANNEL_KEY, GIX)).toEqual(SEALED);
    expect(openMessage(CHANNEL_KEY, SEALED)).toEqual(GIX);
    expect([isSealed(SEALED), isSealed(GIX)]).toEqual([true, false]);
  });

  test('a published answer is opened', () => {
    const answer = openMessage(
      CHANNEL_KEY,
      hex(`
  12BA90C382651269B22D0EFC90B92BC3088371386A69B9A7A85BC6AC76E48437BC73A20286ECB673A4934C85354E47160F272E1A2B53BAC1B795859E
  4C622FC8661A4BAE1FEE450975B7CA0420C618A1FC744765C3E708AF5602256B75A907C3F9A25689CB11239C01E36FC618B417A02A2177E3C3C873B1
  F06E3BD6208FF2B496A2B0BDF81232FDA097300C7D19B007DDC17E6DEF8BE7BB0E82588C0711C01B39B121BB8C66E3E0313C826927FB7F1336`),
    );
    expect(answer).toHaveLength(160);
    expect(answer.toString('latin1', 0, 25)).toBe('GIX000151\x80\x01\x00\x0C991274366155');
  });

  test.each([
    ['a changed byte', Buffer.from(SEALED).fill(0, 20, 21)],
    ['half a block', SEALED.subarray(0, 25)],
    ['no block', SEALED.subarray(0, 1)],
    ['a message in clear', GIX],
  ])('refuses %s', (_, data) => {
    expect(() => openMessage(CHANNEL_KEY, data)).toThrow(/PKTDATA|DATA/);
  });

  test('refuses what another key sealed', () => {
    expect(() => openMessage(Buffer.alloc(16), SEALED)).toThrow('DATA');
  });
});
