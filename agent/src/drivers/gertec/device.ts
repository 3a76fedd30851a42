import { createHash } from 'node:crypto';
import { decodeClassicResponse } from '@tillbridge/protocol/terminals/abecs/classic.js';
import type { FieldReader } from '@tillbridge/protocol/terminals/abecs/field-values.js';
import { FIELDS, type FieldName, familyId } from '@tillbridge/protocol/terminals/abecs/fields.js';
import { decodeKeyMap } from '@tillbridge/protocol/terminals/abecs/key-map.js';
import { statusCode } from '@tillbridge/protocol/terminals/abecs/statuses.js';
import { packTableRecords, type TableRecord } from '@tillbridge/protocol/terminals/abecs/tables.js';
import type { TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { attempt, type Failed, failed, isFailed, type Result } from '../core/result.js';
import type { AbecsConfig } from './config.js';
import type { AbecsLink, Reply } from './link.js';
import { statusFailure } from './replies.js';

/** What is known of the device once a session is open. */
export interface AbecsSession {
  readonly identity: TerminalIdentity;
  /** The device can read tapped cards (PP_CAPAB). */
  readonly contactless: boolean;
  readonly hasPinKey: boolean;
  readonly hasDataKey: boolean;
}

/** Version text of tables: the same records always give the same one (TLI_TABVER, 10 characters). */
export function tableVersion(records: readonly TableRecord[]): string {
  const hash = createHash('sha256');
  for (const block of packTableRecords(records)) hash.update(block);
  return hash.digest('hex').slice(0, 10).toUpperCase();
}

/** Acquirer index that stands for all tables at once (ABECS 2.12 §4.2.1). */
const ALL_TABLES = '00';
const ALL_TABLES_INDEX = 0;

const IDENTITY_FIELDS: readonly FieldName[] = [
  'PP_SERNUM',
  'PP_MODEL',
  'PP_MNNAME',
  'PP_CAPAB',
  'PP_SOVER',
  'PP_DKPTTDESP',
  'PP_DKPTTDESD',
];

/** SPE_IDLIST of ids. */
export function idList(ids: readonly number[]): Buffer {
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

function hasKey(fields: FieldReader, map: 'PP_DKPTTDESP' | 'PP_DKPTTDESD', index: number): boolean {
  const text = fields.text(map);
  return text !== undefined && decodeKeyMap(text)[index] === 'loaded';
}

function notOk(id: string, reply: Exclude<Reply, { kind: 'ok' }>): Failed {
  if (isFailed(reply)) return reply;
  if (reply.kind === 'cancelled') return failed('internal', `${id} was cancelled`);
  return statusFailure(id, reply.status);
}

function readSession(fields: FieldReader, config: AbecsConfig): Result<AbecsSession> {
  const identity = readIdentity(fields);
  if (isFailed(identity)) return identity;
  return {
    identity,
    contactless: fields.text('PP_CAPAB')?.startsWith('1') ?? false,
    hasPinKey: hasKey(fields, 'PP_DKPTTDESP', config.pinKeyIndex),
    hasDataKey: hasKey(fields, 'PP_DKPTTDESD', config.dataKeyIndex),
  };
}

async function currentVersion(link: AbecsLink, fields: FieldReader): Promise<Result<string>> {
  const version = fields.raw(familyId('PP_TABVER', ALL_TABLES_INDEX));
  if (version) return version.toString('latin1');
  // A device that does not list versions by GIX has the older command (§3.5.1).
  const reply = await link.classic('GTS', { GTS_ACQIDX: ALL_TABLES });
  if (reply.kind !== 'ok') return notOk('GTS', reply);
  return attempt('GTS', () => decodeClassicResponse('GTS', reply.blocks).GTS_TABVER);
}

async function loadTables(link: AbecsLink, config: AbecsConfig, version: string): Promise<Result<undefined>> {
  const begin = await link.classic('TLI', { TLI_ACQIDX: ALL_TABLES, TLI_TABVER: version });
  const begun =
    begin.kind === 'ok' || (begin.kind === 'status' && begin.status === statusCode('ST_TABVERDIF'));
  if (!begun) return notOk('TLI', begin);
  for (const block of packTableRecords(config.tables)) {
    const reply = await link.blocks('TLR', [block]);
    if (reply.kind !== 'ok') return notOk('TLR', reply);
  }
  const end = await link.blocks('TLE', []);
  return end.kind === 'ok' ? undefined : notOk('TLE', end);
}

function askDevice(link: AbecsLink): Promise<Reply> {
  const ids = IDENTITY_FIELDS.map((name) => FIELDS[name].id);
  return link.abecs('GIX', { SPE_IDLIST: idList([...ids, familyId('PP_TABVER', ALL_TABLES_INDEX)]) });
}

/**
 * Opens a session: CAN frees the device, OPN, GIX for what it is, the EMV tables loaded when their version differs
 * (ABECS 2.12 §2.2.2.3, §3.2, §4.2.1).
 */
export async function openSession(link: AbecsLink, config: AbecsConfig): Promise<Result<AbecsSession>> {
  const deaf = await link.cancel();
  if (deaf) return deaf;
  const opened = await link.blocks('OPN', []);
  if (opened.kind !== 'ok') return notOk('OPN', opened);
  const info = await askDevice(link);
  if (info.kind !== 'ok') return notOk('GIX', info);
  const session = attempt('GIX', () => readSession(info.fields, config));
  if (isFailed(session)) return session;
  const current = await currentVersion(link, info.fields);
  if (isFailed(current)) return current;
  const wanted = tableVersion(config.tables);
  const problem = current === wanted ? undefined : await loadTables(link, config, wanted);
  return problem ?? session;
}

/** Asks for the keys anew (GIX); ABECS tells neither the clock nor the battery of a device. */
export async function readCondition(
  link: AbecsLink,
  config: AbecsConfig,
): Promise<Result<TerminalCondition>> {
  const info = await askDevice(link);
  if (info.kind !== 'ok') return notOk('GIX', info);
  const session = attempt('GIX', () => readSession(info.fields, config));
  if (isFailed(session)) return session;
  const keys = {
    data: session.hasDataKey ? 'loaded' : 'missing',
    pin: session.hasPinKey ? 'loaded' : 'missing',
  } as const;
  return { kind: 'condition', identity: session.identity, keys };
}

/** Asks for the serial number alone: undefined when the device answers, else what is wrong. */
export async function checkAlive(link: AbecsLink): Promise<Result<undefined>> {
  const reply = await link.abecs('GIX', { SPE_IDLIST: idList([FIELDS.PP_SERNUM.id]) });
  return reply.kind === 'ok' ? undefined : notOk('GIX', reply);
}
