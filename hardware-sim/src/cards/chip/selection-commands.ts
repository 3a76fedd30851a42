import { fromHex } from '@tillbridge/wire/bytes.js';
import { encodeTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { type CommandApdu, DIRECTORY_NAMES, type ResponseApdu, SELECT, SW } from '../core/apdu.js';
import {
  type ApplicationProfile,
  byField,
  encodeRecord,
  hexTlv,
  textTlv,
} from '../core/application-profile.js';
import type { ChipContext } from '../core/card-session.js';

const DIRECTORY_SFI = 1;
/** Shortest prefix of an AID that counts as a name: the RID. */
const RID_BYTES = 5;

const answer = (sw: number, data: Uint8Array = Buffer.alloc(0)): ResponseApdu => ({ sw, data });

/** SELECT by name: a directory or the application, also by the beginning of its name (EMV Book 1 §11.3). */
export function select(chip: ChipContext, command: CommandApdu): ResponseApdu {
  const { session, profile } = chip;
  session.selected = 'none';
  session.initiated = false;
  if (command.p1 !== SELECT.byName) return answer(SW.wrongParameters);
  if (chip.memory.state.cardBlocked) return answer(SW.functionNotSupported);
  const name = Buffer.from(command.data);
  if (name.equals(DIRECTORY_NAMES[byField(profile) ? 'contactless' : 'contact']))
    return selectDirectory(chip, name);
  const aid = fromHex(profile.aid);
  const named = name.length >= RID_BYTES && aid.subarray(0, name.length).equals(name);
  // One application alone: there is never a next occurrence.
  if (!named || command.p2 === SELECT.next) return answer(SW.fileNotFound);
  if (command.p2 !== SELECT.first) return answer(SW.wrongParameters);
  return selectApplication(chip);
}

function selectDirectory(chip: ChipContext, name: Buffer): ResponseApdu {
  chip.session.selected = 'directory';
  const content = byField(chip.profile)
    ? [tlv('BF0C', [tlv('61', directoryEntry(chip.profile))])]
    : [hexTlv('88', '01'), textTlv('5F2D', 'en')];
  return answer(SW.ok, encodeTlv([tlv('6F', [tlv('84', name), tlv('A5', content)])]));
}

function directoryEntry(profile: ApplicationProfile): TlvNode[] {
  return [
    hexTlv('4F', profile.aid),
    textTlv('50', profile.label),
    tlv('87', Buffer.from([profile.priority])),
  ];
}

/** The FCI is given also when the application is blocked, with a warning (EMV Book 1 §12.3). */
function selectApplication(chip: ChipContext): ResponseApdu {
  const { profile, session } = chip;
  session.selected = 'application';
  const content: TlvNode[] = [
    textTlv('50', profile.label),
    tlv('87', Buffer.from([profile.priority])),
    ...(profile.pdol === '' ? [] : [hexTlv('9F38', profile.pdol)]),
    textTlv('5F2D', 'en'),
  ];
  const fci = encodeTlv([tlv('6F', [hexTlv('84', profile.aid), tlv('A5', content)])]);
  return answer(chip.memory.state.applicationBlocked ? SW.selectedFileInvalidated : SW.ok, fci);
}

/** READ RECORD of the directory or of the application's files (EMV Book 3 §6.5.11). */
export function readRecord(chip: ChipContext, command: CommandApdu): ResponseApdu {
  const sfi = command.p2 >>> 3;
  if ((command.p2 & 0x07) !== 0x04 || command.p1 === 0) return answer(SW.wrongParameters);
  if (chip.session.selected === 'directory') {
    if (byField(chip.profile) || sfi !== DIRECTORY_SFI) return answer(SW.fileNotFound);
    if (command.p1 !== 1) return answer(SW.recordNotFound);
    return answer(SW.ok, encodeRecord([tlv('61', directoryEntry(chip.profile))]));
  }
  if (!chip.session.initiated) return answer(SW.conditionsNotSatisfied);
  const file = chip.profile.files.find((candidate) => candidate.sfi === sfi);
  if (!file) return answer(SW.fileNotFound);
  const record = file.records[command.p1 - 1];
  return record ? answer(SW.ok, encodeRecord(record)) : answer(SW.recordNotFound);
}
