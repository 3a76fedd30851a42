/**
 * How a value is written (ABECS 2.12 §1.3): `A` ASCII text, `S` display text (ISO 8859-1), `N` decimal digits,
 * `X` binary number big endian, `B` any bytes.
 */
export type FieldFormat = 'A' | 'S' | 'N' | 'X' | 'B';

/** One parameter: its id, format and length in bytes. */
export interface FieldSpec {
  readonly id: number;
  readonly format: FieldFormat;
  /** Exact length, or the longest when `variable`. */
  readonly length: number;
  readonly variable?: true;
  /** The device returns it to a GIX without a list (ABECS 2.12 §3.1.3.2, dagger). */
  readonly general?: true;
}

/** Parameters the host sends (ABECS 2.12 §3.1.3.1). */
const SPE_FIELDS = {
  SPE_IDLIST: { id: 0x0001, format: 'B', length: 128, variable: true },
  SPE_MTHDPIN: { id: 0x0002, format: 'N', length: 1 },
  SPE_MTHDDAT: { id: 0x0003, format: 'N', length: 2 },
  SPE_TAGLIST: { id: 0x0004, format: 'B', length: 128, variable: true },
  SPE_EMVDATA: { id: 0x0005, format: 'B', length: 512, variable: true },
  SPE_CEXOPT: { id: 0x0006, format: 'A', length: 6 },
  SPE_TRACKS: { id: 0x0007, format: 'N', length: 4 },
  SPE_OPNDIG: { id: 0x0008, format: 'N', length: 1 },
  SPE_KEYIDX: { id: 0x0009, format: 'N', length: 2 },
  SPE_WKENC: { id: 0x000a, format: 'B', length: 16, variable: true },
  SPE_MSGIDX: { id: 0x000b, format: 'X', length: 2 },
  SPE_TIMEOUT: { id: 0x000c, format: 'X', length: 1 },
  SPE_MINDIG: { id: 0x000d, format: 'X', length: 1 },
  SPE_MAXDIG: { id: 0x000e, format: 'X', length: 1 },
  SPE_DATAIN: { id: 0x000f, format: 'B', length: 995, variable: true },
  SPE_ACQREF: { id: 0x0010, format: 'N', length: 2 },
  SPE_APPTYPE: { id: 0x0011, format: 'N', length: 20, variable: true },
  SPE_AIDLIST: { id: 0x0012, format: 'A', length: 512, variable: true },
  SPE_AMOUNT: { id: 0x0013, format: 'N', length: 12 },
  SPE_CASHBACK: { id: 0x0014, format: 'N', length: 12 },
  SPE_TRNDATE: { id: 0x0015, format: 'N', length: 6 },
  SPE_TRNTIME: { id: 0x0016, format: 'N', length: 6 },
  SPE_GCXOPT: { id: 0x0017, format: 'N', length: 5 },
  SPE_GOXOPT: { id: 0x0018, format: 'N', length: 5 },
  SPE_FCXOPT: { id: 0x0019, format: 'N', length: 4 },
  SPE_TRMPAR: { id: 0x001a, format: 'B', length: 10 },
  SPE_DSPMSG: { id: 0x001b, format: 'S', length: 128, variable: true },
  SPE_ARC: { id: 0x001c, format: 'A', length: 2 },
  SPE_IVCBC: { id: 0x001d, format: 'B', length: 8 },
  SPE_MFNAME: { id: 0x001e, format: 'A', length: 8 },
  SPE_MFINFO: { id: 0x001f, format: 'B', length: 10 },
  SPE_MNUOPT: { id: 0x0020, format: 'S', length: 24, variable: true },
  SPE_TRNTYPE: { id: 0x0021, format: 'B', length: 1 },
  SPE_TRNCURR: { id: 0x0022, format: 'N', length: 3 },
  SPE_PANMASK: { id: 0x0023, format: 'N', length: 4 },
  SPE_PBKMOD: { id: 0x0024, format: 'B', length: 256 },
  SPE_GCDOPT: { id: 0x0026, format: 'N', length: 4 },
  SPE_PBKEXP: { id: 0x0025, format: 'B', length: 3, variable: true },
} as const satisfies Readonly<Record<string, FieldSpec>>;

/** Data the device returns (ABECS 2.12 §3.1.3.2); the indexed ones stand in `FIELD_FAMILIES`. */
const PP_FIELDS = {
  PP_SERNUM: { id: 0x8001, format: 'A', length: 32, variable: true, general: true },
  PP_PARTNBR: { id: 0x8002, format: 'A', length: 32, variable: true, general: true },
  PP_MODEL: { id: 0x8003, format: 'A', length: 20, variable: true, general: true },
  PP_MNNAME: { id: 0x8004, format: 'A', length: 20, variable: true, general: true },
  PP_CAPAB: { id: 0x8005, format: 'A', length: 10, general: true },
  PP_SOVER: { id: 0x8006, format: 'A', length: 20, variable: true, general: true },
  PP_SPECVER: { id: 0x8007, format: 'A', length: 4, general: true },
  PP_MANVERS: { id: 0x8008, format: 'A', length: 16, general: true },
  PP_APPVERS: { id: 0x8009, format: 'A', length: 16, general: true },
  PP_GENVERS: { id: 0x800a, format: 'A', length: 16, general: true },
  PP_KRNLVER: { id: 0x8010, format: 'A', length: 20, variable: true, general: true },
  PP_CTLSVER: { id: 0x8011, format: 'A', length: 20, variable: true, general: true },
  PP_MCTLSVER: { id: 0x8012, format: 'A', length: 20, variable: true, general: true },
  PP_VCTLSVER: { id: 0x8013, format: 'A', length: 20, variable: true, general: true },
  PP_AECTLSVER: { id: 0x8014, format: 'A', length: 20, variable: true, general: true },
  PP_DPCTLSVER: { id: 0x8015, format: 'A', length: 20, variable: true, general: true },
  PP_PUREVER: { id: 0x8016, format: 'A', length: 20, variable: true, general: true },
  PP_DSPTXTSZ: { id: 0x8020, format: 'N', length: 4, general: true },
  PP_DSPGRSZ: { id: 0x8021, format: 'N', length: 8, general: true },
  PP_MFSUP: { id: 0x8022, format: 'A', length: 20, variable: true, general: true },
  PP_MKDESP: { id: 0x8030, format: 'A', length: 100, general: true },
  PP_MKDESD: { id: 0x8031, format: 'A', length: 100, general: true },
  PP_MKTDESP: { id: 0x8032, format: 'A', length: 100, general: true },
  PP_MKTDESD: { id: 0x8033, format: 'A', length: 100, general: true },
  PP_DKPTDESP: { id: 0x8034, format: 'A', length: 100, general: true },
  PP_DKPTTDESP: { id: 0x8035, format: 'A', length: 100, general: true },
  PP_DKPTTDESD: { id: 0x8036, format: 'A', length: 100, general: true },
  PP_EVENT: { id: 0x8040, format: 'A', length: 2 },
  PP_TRK1INC: { id: 0x8041, format: 'A', length: 60, variable: true },
  PP_TRK2INC: { id: 0x8042, format: 'A', length: 30, variable: true },
  PP_TRK3INC: { id: 0x8043, format: 'A', length: 30, variable: true },
  PP_TRACK1: { id: 0x8044, format: 'B', length: 88, variable: true },
  PP_TRACK2: { id: 0x8045, format: 'B', length: 28, variable: true },
  PP_TRACK3: { id: 0x8046, format: 'B', length: 60, variable: true },
  PP_TRK1KSN: { id: 0x8047, format: 'B', length: 10 },
  PP_TRK2KSN: { id: 0x8048, format: 'B', length: 10 },
  PP_TRK3KSN: { id: 0x8049, format: 'B', length: 10 },
  PP_ENCPAN: { id: 0x804a, format: 'B', length: 16, variable: true },
  PP_ENCPANKSN: { id: 0x804b, format: 'B', length: 10 },
  PP_KSN: { id: 0x804c, format: 'B', length: 10 },
  PP_VALUE: { id: 0x804d, format: 'A', length: 32, variable: true },
  PP_DATAOUT: { id: 0x804e, format: 'B', length: 256, variable: true },
  PP_CARDTYPE: { id: 0x804f, format: 'N', length: 2 },
  PP_ICCSTAT: { id: 0x8050, format: 'N', length: 1 },
  PP_AIDTABINFO: { id: 0x8051, format: 'A', length: 120, variable: true },
  // The format has digits; with SPE_PANMASK the hidden ones are asterisks (§5.4.1).
  PP_PAN: { id: 0x8052, format: 'A', length: 19, variable: true },
  PP_PANSEQNO: { id: 0x8053, format: 'N', length: 2 },
  PP_EMVDATA: { id: 0x8054, format: 'B', length: 512, variable: true },
  PP_CHNAME: { id: 0x8055, format: 'A', length: 26, variable: true },
  PP_GOXRES: { id: 0x8056, format: 'N', length: 6 },
  PP_PINBLK: { id: 0x8057, format: 'B', length: 8 },
  PP_FCXRES: { id: 0x8058, format: 'N', length: 3 },
  PP_ISRESULTS: { id: 0x8059, format: 'B', length: 50, variable: true },
  PP_BIGRAND: { id: 0x805a, format: 'B', length: 900 },
  PP_LABEL: { id: 0x805b, format: 'S', length: 16, variable: true },
  PP_ISSCNTRY: { id: 0x805c, format: 'N', length: 3 },
  PP_CARDEXP: { id: 0x805d, format: 'N', length: 6 },
  PP_MFNAME: { id: 0x805e, format: 'A', length: 8 },
  PP_DEVTYPE: { id: 0x8060, format: 'N', length: 2 },
  PP_ENCKEY: { id: 0x8061, format: 'B', length: 16 },
  PP_TLRMEM: { id: 0x8062, format: 'X', length: 4, general: true },
  PP_ENCKRAND: { id: 0x8063, format: 'B', length: 256 },
} as const satisfies Readonly<Record<string, FieldSpec>>;

/** Every named parameter; ids are unique across both directions. */
export const FIELDS = { ...SPE_FIELDS, ...PP_FIELDS } as const;

/** Name of a parameter, such as `SPE_AMOUNT`. */
export type FieldName = keyof typeof FIELDS;

/** The value's type by format: `X` a number, `B` bytes, the rest text. */
export type FieldValue<N extends FieldName> = (typeof FIELDS)[N]['format'] extends 'X'
  ? number
  : (typeof FIELDS)[N]['format'] extends 'B'
    ? Uint8Array
    : string;

/** Names of all fields whose value is of type `T`. */
export type FieldNameOf<T> = { [N in FieldName]: FieldValue<N> extends T ? N : never }[FieldName];

/** Indexed data of GIX: one id per key or table index 00-99, `base` + index (ABECS 2.12 §3.1.3.2). */
export const FIELD_FAMILIES = {
  PP_KSNDESP: { base: 0x9000, format: 'B', length: 10 },
  PP_KSNTDESP: { base: 0x9100, format: 'B', length: 10 },
  PP_KSNTDESD: { base: 0x9200, format: 'B', length: 10 },
  PP_TABVER: { base: 0x9300, format: 'A', length: 10 },
} as const;

/** Name of an indexed family, such as `PP_TABVER`. */
export type FieldFamily = keyof typeof FIELD_FAMILIES;

/** Highest index of a key or table. */
export const MAX_FIELD_INDEX = 99;

/** Id of one member of a family: `familyId('PP_KSNTDESP', 14)` is 910E. */
export function familyId(family: FieldFamily, index: number): number {
  if (!Number.isInteger(index) || index < 0 || index > MAX_FIELD_INDEX) {
    throw new RangeError(`${family} index must be an integer from 0 to ${MAX_FIELD_INDEX}`);
  }
  return FIELD_FAMILIES[family].base + index;
}

const NAMES = new Map<number, FieldName>(
  (Object.keys(FIELDS) as FieldName[]).map((name) => [FIELDS[name].id, name]),
);

/** Name of a parameter id: `SPE_AMOUNT`, `PP_KSNTDESP14`, or undefined when unknown. */
export function fieldName(id: number): string | undefined {
  const name = NAMES.get(id);
  if (name) return name;
  for (const [family, spec] of Object.entries(FIELD_FAMILIES)) {
    const index = id - spec.base;
    if (index >= 0 && index <= MAX_FIELD_INDEX) return `${family}${String(index).padStart(2, '0')}`;
  }
  return undefined;
}

/** Ids a GIX without a list returns, in the order of the table. */
export const GENERAL_INFORMATION_IDS: readonly number[] = Object.values(
  PP_FIELDS as Record<string, FieldSpec>,
)
  .filter((spec) => spec.general === true)
  .map((spec) => spec.id);
