import { equalConstantTime, fromHex, toHex } from '../../bytes.js';
import { ZERO_AES_BLOCK } from '../ciphers/aes.js';
import { KCV_BYTES } from '../ciphers/kcv.js';
import { aesCmac } from '../ciphers/mac.js';
import { tdesEncryptEcb, ZERO_BLOCK } from '../ciphers/tdes.js';

/**
 * PUBLISHED DEVELOPMENT KEYS. Every part of a development system shares them so that simulated cards, terminals and the gateway
 * understand each other without set-up. They are no secret: live mode refuses them, see `isTestKey`.
 */
interface DevelopmentKey {
  readonly name: DevelopmentKeyName;
  /** What it is for. */
  readonly use: string;
  readonly algorithm: 'tdes2' | 'aes128';
  /** Uppercase hex. */
  readonly hex: string;
  /** First three bytes of TDES over zeros, or of an AES key's CMAC of zeros, uppercase hex. */
  readonly kcv: string;
}

/** The development keys by name. */
export type DevelopmentKeyName =
  | 'bdkPin'
  | 'bdkData'
  | 'bdkMac'
  | 'bdkMacAes'
  | 'bdkPinAes'
  | 'bdkDataAes'
  | 'imkAc'
  | 'imkSmi'
  | 'imkSmc'
  | 'pvk'
  | 'cvk'
  | 'zonePinKey'
  | 'zoneMacKey'
  | 'zoneTransportKey'
  | 'zoneProtectionKey'
  | 'cavvKey';

/** Key index that stands with the development PIN verification key. */
export const DEVELOPMENT_PVKI = '1';

/** The table of the development keys: AES, or double-length TDES with odd parity. */
export const DEVELOPMENT_KEYS: Readonly<Record<DevelopmentKeyName, DevelopmentKey>> = {
  bdkPin: {
    name: 'bdkPin',
    use: 'base derivation key of PIN encipherment (TDES DUKPT)',
    algorithm: 'tdes2',
    hex: '312FB397197F5EE5107920DA611CE551',
    kcv: '4E2F02',
  },
  bdkData: {
    name: 'bdkData',
    use: 'base derivation key of account data encipherment (TDES DUKPT)',
    algorithm: 'tdes2',
    hex: 'BF7CAB3BD5F47AA7CDFD641362C21391',
    kcv: '12AADF',
  },
  bdkMac: {
    name: 'bdkMac',
    use: 'base derivation key of authentication codes of messages (TDES DUKPT)',
    algorithm: 'tdes2',
    hex: '8ACD83434AC7D3ADD59E1FBCE6E07AF8',
    kcv: 'FDA3CC',
  },
  bdkMacAes: {
    name: 'bdkMacAes',
    use: 'base derivation key of authentication codes of messages (AES DUKPT)',
    algorithm: 'aes128',
    hex: '7B3C52D3A0E78AD015CDD68B5896622E',
    kcv: '5E0C0B',
  },
  bdkPinAes: {
    name: 'bdkPinAes',
    use: 'base derivation key of PIN encipherment (AES DUKPT)',
    algorithm: 'aes128',
    hex: '1899A1BDD66B73DDEF6001A15A85B805',
    kcv: '72AC79',
  },
  bdkDataAes: {
    name: 'bdkDataAes',
    use: 'base derivation key of account data encipherment (AES DUKPT)',
    algorithm: 'aes128',
    hex: '10C9BE8B8B95E68B6B729394CCFF2945',
    kcv: '395302',
  },
  imkAc: {
    name: 'imkAc',
    use: 'issuer master key for application cryptograms',
    algorithm: 'tdes2',
    hex: '68A402295EB50E98B3CBE532B34F583B',
    kcv: '7A2BC4',
  },
  imkSmi: {
    name: 'imkSmi',
    use: 'issuer master key for secure messaging integrity',
    algorithm: 'tdes2',
    hex: '8040B9703B3E2A6798259D70F4312FBF',
    kcv: '204921',
  },
  imkSmc: {
    name: 'imkSmc',
    use: 'issuer master key for secure messaging confidentiality',
    algorithm: 'tdes2',
    hex: 'EFD576380E75CBBFB60423F80440AEBC',
    kcv: '7F586D',
  },
  pvk: {
    name: 'pvk',
    use: 'PIN verification key pair (PVV)',
    algorithm: 'tdes2',
    hex: 'FD9DD5E34A927FC2E091D51CEC9E2A70',
    kcv: '0027B8',
  },
  cvk: {
    name: 'cvk',
    use: 'card verification key pair (CVV, CVV2, iCVV)',
    algorithm: 'tdes2',
    hex: 'B094F7B6AD0110FDF7923D071AFEA854',
    kcv: '8141DF',
  },
  zonePinKey: {
    name: 'zonePinKey',
    use: 'PIN encipherment between gateway and acquirer',
    algorithm: 'tdes2',
    hex: 'A47375CDEAADD691F2C82A10D9F1794F',
    kcv: '131278',
  },
  zoneMacKey: {
    name: 'zoneMacKey',
    use: 'authentication codes of messages between gateway and acquirer',
    algorithm: 'tdes2',
    hex: '73C743CE54437C02044C462A9131AD51',
    kcv: 'D68971',
  },
  zoneTransportKey: {
    name: 'zoneTransportKey',
    use: 'encipherment of the keys that an acquirer sends',
    algorithm: 'tdes2',
    hex: 'DA7662673DC40D6786C12A3D1AFD19AB',
    kcv: '07F9E6',
  },
  zoneProtectionKey: {
    name: 'zoneProtectionKey',
    use: 'key block protection key of the keys that an acquirer sends',
    algorithm: 'aes128',
    hex: '3FC404A04C470C45C68C0031CABAAAF4',
    kcv: '9AF3E4',
  },
  cavvKey: {
    name: 'cavvKey',
    use: 'cardholder authentication verification values of the simulated issuer (HMAC)',
    algorithm: 'aes128',
    hex: '7D1A94C60E5B38F2A96C4417D083BE2F',
    kcv: 'C8DF38',
  },
};

/** Keys that standards, manuals and open-source projects print as examples. None may ever protect real data. */
const PRINTED_KEYS: readonly string[] = [
  '0123456789ABCDEFFEDCBA9876543210', // ANSI X9.24-1 annex A
  '0123456789ABCDEF0123456789ABCDEF',
  'FEDCBA9876543210F1F1F1F1F1F1F1F1', // ANSI X9.24-3 supplement, AES-128
  'FEDCBA9876543210F1F1F1F1F1F1F1F1FEDCBA9876543210F1F1F1F1F1F1F1F1', // the same, AES-256
  'FEDCBA98765432100123456789ABCDEF',
  'FEDCBA9876543210FEDCBA9876543210',
  '89ABCDEF0123456776543210FEDCBA98',
  '01234567899876543210012345678998',
  '12345678123456781234567812345678',
  '12345678123456788765432187654321',
  '11111111111111112222222222222222',
  '11111111111111111111111111111111',
  '22222222222222222222222222222222',
  'AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB',
  'AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBCCCCCCCCCCCCCCCC',
  '99999999999999998888888888888888',
  '45454545454545454545454545454545',
  '41414141414141414141414141414141',
  '4141414141414141414141414141414141414141414141414141414141414141',
  '00000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000000',
  'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
  '000102030405060708090A0B0C0D0E0F', // FIPS 197 appendix
  '2B7E151628AED2A6ABF7158809CF4F3C', // NIST SP 800-38B
  // Base derivation keys of the published vectors (test/vectors).
  'E3C5966D47D536D944409E6FEFBCA950',
  '128435E8D6FF18AF8BF4EFBCAE138ABE',
  '128C10B9CCE41253EB214EBC2E64A020',
  '0C2391FD5831FC0D849C45FE79EF71B4',
  '8A00721DB7379FB513D669DC911BDF77738DDFF92CBBE582',
  '07EC99817AC921344AC902F201142484',
  'DF29B20F81856637B32EBB4A24CC8C7E5140BC3889E14B1B',
  '92A08898016F3D6BCE83FC0C0E53F039599FDAAE1A2BF15A79F6335D44D67755',
  '6B9F40D411B24B278CFE30E65605E083',
  'FAA0268D359C672DC20008EAE5D7D6109EF15A3B5D9BF8C05B9912CCE048584A',
  'C4E2BF58267FDD213067F8E0CA67B3E9',
  '4559AF9FCB0868C14BDCB4F1DE620787',
  '2600D34AB74EE7A564FB65645D842C46',
  '5061511940F6E32E5C335F240AD93EEB006C19D287764E40BB91B1E1CF91957D',
  '801838AD3CB22119689584E0159EBEC1',
  'A8B912BBE446610CD27D8963E9314CF5',
];

/** The bytes of a development key; a fresh copy that the caller may wipe. */
export function developmentKey(name: DevelopmentKeyName): Buffer {
  return fromHex(DEVELOPMENT_KEYS[name].hex);
}

interface Fingerprints {
  readonly tdes?: Uint8Array;
  readonly aes?: Uint8Array;
}

/** Whole check blocks: the same for keys that differ in parity bits alone, so a parity change hides nothing. */
function fingerprints(key: Uint8Array): Fingerprints {
  const tdes = key.length === 16 || key.length === 24 ? tdesEncryptEcb(key, ZERO_BLOCK) : undefined;
  const aes = key.length >= 16 ? aesCmac(key, ZERO_AES_BLOCK) : undefined;
  return { ...(tdes && { tdes }), ...(aes && { aes }) };
}

let known: readonly Fingerprints[] | undefined;

function knownFingerprints(): readonly Fingerprints[] {
  known ??= [...Object.values(DEVELOPMENT_KEYS).map((key) => key.hex), ...PRINTED_KEYS].map((hex) =>
    fingerprints(fromHex(hex)),
  );
  return known;
}

/**
 * Whether a key (16, 24 or 32 bytes), or a check value of at least three bytes as hex, is one of the published test keys. Live mode refuses it.
 * Matching by check value can in one case of some millions name an innocent key: give the bytes where they are at hand.
 */
export function isTestKey(keyOrKcv: Uint8Array | string): boolean {
  if (typeof keyOrKcv === 'string') return isTestKcv(keyOrKcv);
  if (keyOrKcv.length !== 16 && keyOrKcv.length !== 24 && keyOrKcv.length !== 32) return false;
  const own = fingerprints(keyOrKcv);
  return knownFingerprints().some((other) => same(own.tdes, other.tdes) || same(own.aes, other.aes));
}

function isTestKcv(kcv: string): boolean {
  const wanted = kcv.toUpperCase();
  if (wanted.length < KCV_BYTES * 2) return false;
  return knownFingerprints().some((print) =>
    [print.tdes, print.aes].some((bytes) => bytes !== undefined && toHex(bytes).startsWith(wanted)),
  );
}

function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && equalConstantTime(a, b);
}
