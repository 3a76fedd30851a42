import { readIfThere } from '@tillbridge/platform/read-file.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { NamedError } from '@tillbridge/wire/errors/coded-error.js';
import { writeOpenFile } from './open-file.js';

/** The record of an installation cannot be read; the message names its file. */
export class InstallRecordError extends NamedError {}

const RECORD = Type.Object(
  {
    /** What install made and uninstall removes. */
    made: Type.Array(Type.String({ expected: 'a text' }), { expected: 'a list of texts' }),
    /** Digest of the configuration as install wrote it: one that a person changed is left alone. */
    configDigest: Type.Optional(Type.String({ expected: 'a text' })),
    agentId: Type.Optional(Type.String({ expected: 'a text' })),
    /** The terminal ids of the agent, as the gateway gave them. */
    terminals: Type.Array(Type.String({ expected: 'a text' }), { expected: 'a list of texts' }),
    mode: Type.Optional(Type.String({ expected: 'a text' })),
  },
  { expected: 'the record of an installation' },
);

/** What was made so far, so that an installation goes on after an interruption and can be removed. */
export type InstallRecord = Readonly<Static<typeof RECORD>>;

/** Of a machine on which nothing was installed. */
export const EMPTY_RECORD: InstallRecord = { made: [], terminals: [] };

const read = jsonReader(
  RECORD,
  'the file',
  (reason) => new InstallRecordError(`${reason}: correct or remove it`),
);

/** The record at a path. @throws InstallRecordError */
export function readInstallRecord(path: string): InstallRecord {
  const text = readIfThere(path)?.toString('utf8');
  return text === undefined ? EMPTY_RECORD : read(text, path);
}

/** Writes the record by atomic replacement; any user may read it. */
export function writeInstallRecord(path: string, record: InstallRecord): void {
  writeOpenFile(path, `${JSON.stringify(record, undefined, 2)}\n`);
}
