import {
  decodeClassicRequest,
  encodeClassicResponse,
  takenLines,
} from '@tillbridge/wire/terminals/abecs/classic.js';
import { field } from '@tillbridge/wire/terminals/abecs/field-values.js';
import {
  FIELD_FAMILIES,
  FIELDS,
  type FieldFamily,
  type FieldNameOf,
  familyId,
  GENERAL_INFORMATION_IDS,
  MAX_FIELD_INDEX,
} from '@tillbridge/wire/terminals/abecs/fields.js';
import { encodeKeyMap, KEY_SLOTS } from '@tillbridge/wire/terminals/abecs/key-map.js';
import { encodeParameters, type Parameter } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import {
  type CommandHandler,
  type DeviceContext,
  type KeySlotEntry,
  newDeviceSession,
} from './device-context.js';
import { NO_VERSION } from './emv-tables.js';
import { StatusError } from './failure-statuses.js';
import { openChannel } from './secure-channel.js';

const NOTHING: readonly Uint8Array[] = [];
const NO_BLOCK = new Uint8Array(0);
const CARRIAGE_RETURN = '\r';
/** Bytes free for tables (PP_TLRMEM). */
const TABLE_MEMORY_BYTES = 512 * 1024;
const BIG_RANDOM_BYTES = 900;
const METHOD_DUKPT_TDES = '3';
/** At most 12 characters. */
const KERNEL = 'TBRIDGE 1.0';

/** OPN: in clear, or with a public key, which opens an enciphered channel (ABECS 2.20 §6.4.1). */
export const open: CommandHandler = (device, { blocks }) => {
  device.session = newDeviceSession();
  device.ui.setState('idle');
  const [block = NO_BLOCK, ...more] = blocks;
  if (more.length > 0) throw new StatusError('ST_INVPARM');
  return block.length === 0 ? NOTHING : openChannel(device, block);
};

/** CLX: leaves a message and forgets card data (ABECS 2.12 §6.4.5). */
export const closeExtended: CommandHandler = (device, { fields }) => {
  finish(device, (fields.text('SPE_DSPMSG') ?? '').split(CARRIAGE_RETURN));
  return NOTHING;
};

/** CLO: the same with a classic message. */
export const close: CommandHandler = (device, { blocks }) => {
  finish(device, takenLines(blocks));
  return NOTHING;
};

function finish(device: DeviceContext, lines: readonly string[]): void {
  device.session = newDeviceSession();
  device.ui.show(lines);
  device.ui.setState('idle');
}

/** DSP: two lines of 16 characters. */
export const display: CommandHandler = (device, { blocks }) => {
  device.ui.show(takenLines(blocks));
  return NOTHING;
};

/** DEX: free text, its length in three digits ahead (ABECS 2.12 §3.3.4). */
export const displayExtended: CommandHandler = (device, { blocks }) => {
  const text = Buffer.concat(blocks).toString('latin1');
  const length = Number(/^\d{3}/.exec(text)?.[0] ?? Number.NaN);
  if (blocks.length !== 1 || text.length !== length + 3)
    throw new TerminalFormatError('DEX_MSGLEN', 'is another length');
  device.ui.show(text.slice(3).split(CARRIAGE_RETURN));
  return NOTHING;
};

/** GIX: what the device is, which keys and tables it has (ABECS 2.12 §6.4.3). */
export const information: CommandHandler = (device, { fields }) => {
  const list = fields.bytes('SPE_IDLIST');
  if (list && list.length % 2 !== 0)
    throw new TerminalFormatError('SPE_IDLIST', 'must be whole ids of 2 bytes');
  const ids = list
    ? Array.from({ length: list.length / 2 }, (_, at) => list.readUInt16BE(at * 2))
    : GENERAL_INFORMATION_IDS;
  return encodeParameters(ids.flatMap((id) => informationFor(device, id) ?? []));
};

/** The texts of GIX for this model, by field. */
const MODEL: Partial<Record<FieldNameOf<string>, string>> = {
  PP_MODEL: 'PPC-930;192MB',
  PP_MNNAME: 'GERTEC',
  // Contactless reader, colour display.
  PP_CAPAB: '1200000000',
  PP_SOVER: '1.00.00',
  PP_SPECVER: '2.12',
  PP_MANVERS: '001.00 261120  ',
  PP_APPVERS: '001.00 261120  ',
  PP_GENVERS: '000.00 000000  ',
  PP_KRNLVER: 'TILLBRIDGE 1.0',
  PP_CTLSVER: 'TILLBRIDGE 1.0',
  PP_VCTLSVER: 'TILLBRIDGE 1.0',
  PP_DSPTXTSZ: '0216',
};

/** Name of the acquirer that a device without its own gives (ABECS 2.20 §3.2.3). */
const ACQUIRER = 'Abecs';
const APPLICATION_VERSION = '001.00 261120';

/** GIN: the same by index, a classic command. */
export const informationByIndex: CommandHandler = ({ serial, pinKey }, { blocks }) => {
  const {
    PP_MNNAME = '',
    PP_MODEL = '',
    PP_SOVER = '',
    PP_SPECVER: GIN_SPECVER = '',
    PP_MANVERS: GIN_MANVER = '',
  } = MODEL;
  const end = { GIN_APPVERS: APPLICATION_VERSION, GIN_SPECVER, GIN_RUF1: '', GIN_RUF2: '00' };
  switch (decodeClassicRequest('GIN', blocks).GIN_ACQIDX) {
    case '00':
      return [
        encodeClassicResponse('GIN_00', {
          GIN_MNAME: PP_MNNAME,
          GIN_MODEL: PP_MODEL,
          GIN_CTLSSUP: 'C',
          GIN_SOVER: PP_SOVER,
          GIN_SPECVER,
          GIN_MANVER: GIN_MANVER.trimEnd(),
          GIN_SERNUM: serial,
        }),
      ];
    case '02':
      return [encodeClassicResponse('GIN_02', { GIN_ACQNAM: ACQUIRER, GIN_KRNLVER: KERNEL, ...end })];
    case '03':
      return [
        encodeClassicResponse('GIN_03', {
          ...end,
          GIN_ACQNAM: ACQUIRER,
          GIN_KRNLVER: '1.0',
          GIN_CTLSVER: '1.0',
          GIN_MCTLSVER: '1.0',
          GIN_VCTLSVER: '1.0',
          GIN_RUF3: '',
          // The key of index 01, where it is.
          GIN_DUKPT: loadedSlot(pinKey) === 1 ? 'T' : '',
        }),
      ];
    default:
      return [encodeClassicResponse('GIN_OTHER', { GIN_ACQNAME: ACQUIRER, ...end })];
  }
};

function informationFor(device: DeviceContext, id: number): Parameter | undefined {
  for (const [name, value] of Object.entries(MODEL) as [FieldNameOf<string>, string][]) {
    if (FIELDS[name].id === id) return field(name, value.padEnd(FIELDS[name].length).trimEnd());
  }
  switch (id) {
    case FIELDS.PP_SERNUM.id:
      return field('PP_SERNUM', device.serial);
    case FIELDS.PP_TLRMEM.id:
      return field('PP_TLRMEM', TABLE_MEMORY_BYTES);
    case FIELDS.PP_BIGRAND.id:
      return field('PP_BIGRAND', device.random.bytes(BIG_RANDOM_BYTES));
    case FIELDS.PP_DKPTTDESP.id:
      return field('PP_DKPTTDESP', keyMap(loadedSlot(device.pinKey)));
    case FIELDS.PP_DKPTTDESD.id:
      return field('PP_DKPTTDESD', keyMap(loadedSlot(device.dataKey)));
    case FIELDS.PP_MKDESP.id:
    case FIELDS.PP_MKDESD.id:
    case FIELDS.PP_MKTDESP.id:
    case FIELDS.PP_MKTDESD.id:
    case FIELDS.PP_DKPTDESP.id:
      return { id, value: Buffer.from(keyMap(undefined), 'latin1') };
    default:
      return familyMember(device, id);
  }
}

function loadedSlot({ index, key }: KeySlotEntry): number | undefined {
  return key.condition === 'erased' ? undefined : index;
}

function keyMap(loadedIndex: number | undefined): string {
  return encodeKeyMap(
    Array.from({ length: KEY_SLOTS }, (_, index) => (index === loadedIndex ? 'loaded' : 'absent')),
  );
}

function indexIn(family: FieldFamily, id: number): number | undefined {
  const index = id - FIELD_FAMILIES[family].base;
  return index >= 0 && index <= MAX_FIELD_INDEX ? index : undefined;
}

/** Serial numbers of the keys that are loaded, versions of the tables that are. */
function familyMember(device: DeviceContext, id: number): Parameter | undefined {
  const { pinKey, dataKey } = device;
  if (id === familyId('PP_KSNTDESP', pinKey.index)) return { id, value: pinKey.key.ksn };
  if (id === familyId('PP_KSNTDESD', dataKey.index)) return { id, value: dataKey.key.ksn };
  const acquirer = indexIn('PP_TABVER', id);
  if (acquirer === undefined) return undefined;
  const version = device.tables.version(String(acquirer).padStart(2, '0'));
  return { id, value: Buffer.from(version.padEnd(NO_VERSION.length), 'latin1') };
}

/** GDU: the serial number of a PIN key, a classic command. */
export const dukptSerialNumber: CommandHandler = (device, { blocks }) => {
  const { GDU_METHOD, GDU_IDX } = decodeClassicRequest('GDU', blocks);
  const { index, key } = device.pinKey;
  if (GDU_METHOD !== METHOD_DUKPT_TDES || Number(GDU_IDX) !== index) throw new StatusError('ST_ERRKEY');
  return [encodeClassicResponse('GDU', { GDU_KSN: key.ksn.toString('hex').toUpperCase() })];
};
