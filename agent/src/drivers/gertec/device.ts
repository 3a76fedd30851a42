import { createHash } from 'node:crypto';
import { decodeClassicResponse } from '@tillbridge/wire/terminals/abecs/classic.js';
import type { FieldReader } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { FIELDS, familyId } from '@tillbridge/wire/terminals/abecs/fields.js';
import { decodeKeyMap } from '@tillbridge/wire/terminals/abecs/key-map.js';
import { statusCode } from '@tillbridge/wire/terminals/abecs/statuses.js';
import { packTableRecords, type TableRecord } from '@tillbridge/wire/terminals/abecs/tables.js';
import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { andThen, attempt, failed, isFailed, problemOf, type Result } from '../core/result.js';
import type { AbecsConfig } from './config.js';
import type { AbecsLink } from './link.js';
import { answerOf } from './replies.js';

/** What is known of the device once a session is open. */
export interface AbecsDevice {
  readonly identity: TerminalIdentity;
  /** The device can read tapped cards (PP_CAPAB). */
  readonly contactless: boolean;
  readonly keys: TerminalCondition['keys'];
}

/** Version text of tables: the same records always give the same one (TLI_TABVER, 10 characters). */
export function tableVersion(records: readonly TableRecord[]): string {
  const hash = createHash('sha256');
  for (const block of packTableRecords(records)) hash.update(block);
  return hash.digest('hex').slice(0, 10).toUpperCase();
}

/** Acquirer index of all tables together (ABECS 2.12 §4.2.1). */
const ALL_TABLES = '00';
const ALL_TABLES_INDEX = 0;

const IDENTITY_IDS: readonly number[] = [
  FIELDS.PP_SERNUM.id,
  FIELDS.PP_MODEL.id,
  FIELDS.PP_MNNAME.id,
  FIELDS.PP_CAPAB.id,
  FIELDS.PP_SOVER.id,
  FIELDS.PP_DKPTTDESP.id,
  FIELDS.PP_DKPTTDESD.id,
  familyId('PP_TABVER', ALL_TABLES_INDEX),
];

/** SPE_IDLIST of ids. */
function idList(ids: readonly number[]): Buffer {
  const out = Buffer.alloc(ids.length * 2);
  for (const [at, id] of ids.entries()) out.writeUInt16BE(id, at * 2);
  return out;
}

function readIdentity(fields: FieldReader): Result<TerminalIdentity> {
  const serial = fields.text('PP_SERNUM')?.trim();
  if (!serial) return failed('protocol-error', 'GIX: PP_SERNUM is missing');
  // The model is followed by the memory size: `PPC-930;192MB` (PP_MODEL, §3.1.3.2).
  const model = fields.text('PP_MODEL')?.split(';')[0]?.trim();
  return {
    maker: fields.text('PP_MNNAME')?.trim() ?? '',
    model: model ?? '',
    firmware: fields.text('PP_SOVER')?.trim() ?? '',
    serial,
  };
}

function keyCondition(
  fields: FieldReader,
  map: 'PP_DKPTTDESP' | 'PP_DKPTTDESD',
  index: number,
): KeyCondition {
  const text = fields.text(map);
  return text !== undefined && decodeKeyMap(text)[index] === 'loaded' ? 'loaded' : 'missing';
}

function readDevice(fields: FieldReader, config: AbecsConfig): Result<AbecsDevice> {
  return andThen(readIdentity(fields), (identity) => ({
    identity,
    contactless: fields.text('PP_CAPAB')?.startsWith('1') ?? false,
    keys: {
      data: keyCondition(fields, 'PP_DKPTTDESD', config.dataKeyIndex),
      pin: keyCondition(fields, 'PP_DKPTTDESP', config.pinKeyIndex),
    },
  }));
}

async function currentVersion(link: AbecsLink, fields: FieldReader): Promise<Result<string>> {
  const version = fields.raw(familyId('PP_TABVER', ALL_TABLES_INDEX));
  if (version) return version.toString('latin1');
  // A device that does not list versions by GIX has the older command (§3.5.1).
  const reply = answerOf('GTS', await link.classic('GTS', { GTS_ACQIDX: ALL_TABLES }));
  return andThen(reply, ({ blocks }) =>
    attempt('GTS', () => decodeClassicResponse('GTS', blocks).GTS_TABVER),
  );
}

async function loadTables(link: AbecsLink, config: AbecsConfig, version: string): Promise<Result<undefined>> {
  const begin = await link.classic('TLI', { TLI_ACQIDX: ALL_TABLES, TLI_TABVER: version });
  const differs = begin.kind === 'status' && begin.status === statusCode('ST_TABVERDIF');
  const refused = differs ? undefined : problemOf(answerOf('TLI', begin));
  if (refused) return refused;
  for (const block of packTableRecords(config.tables)) {
    const reply = answerOf('TLR', await link.blocks('TLR', [block]));
    if (isFailed(reply)) return reply;
  }
  return problemOf(answerOf('TLE', await link.blocks('TLE', [])));
}

async function askDevice(link: AbecsLink, ids: readonly number[]): Promise<Result<FieldReader>> {
  const reply = answerOf('GIX', await link.abecs('GIX', { SPE_IDLIST: idList(ids) }));
  return andThen(reply, ({ fields }) => fields);
}

/**
 * Opens the device: CAN frees the device, OPN, GIX for what it is, the EMV tables loaded when their version differs
 * (ABECS 2.12 §2.2.2.3, §3.2, §4.2.1).
 */
export async function openDevice(link: AbecsLink, config: AbecsConfig): Promise<Result<AbecsDevice>> {
  const stuck = (await link.cancel()) ?? problemOf(answerOf('OPN', await link.blocks('OPN', [])));
  if (stuck) return stuck;
  const fields = await askDevice(link, IDENTITY_IDS);
  if (isFailed(fields)) return fields;
  const device = attempt('GIX', () => readDevice(fields, config));
  if (isFailed(device)) return device;
  const current = await currentVersion(link, fields);
  if (isFailed(current)) return current;
  const wanted = tableVersion(config.tables);
  return (current === wanted ? undefined : await loadTables(link, config, wanted)) ?? device;
}

/** Requests the state of the keys again (GIX). ABECS gives neither clock nor battery. */
export async function readCondition(
  link: AbecsLink,
  config: AbecsConfig,
): Promise<Result<TerminalCondition>> {
  const fields = await askDevice(link, IDENTITY_IDS);
  const device = andThen(fields, (reader) => attempt('GIX', () => readDevice(reader, config)));
  return andThen(device, ({ identity, keys }) => ({ kind: 'condition', identity, keys }));
}

/** Reads only the serial number. */
export async function checkAlive(link: AbecsLink): Promise<Result<undefined>> {
  return problemOf(await askDevice(link, [FIELDS.PP_SERNUM.id]));
}
